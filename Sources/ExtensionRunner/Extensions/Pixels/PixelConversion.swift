// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import RunnerSupport
import Vips

/// Converts rows between the stored samples of an image, of 8 or 16 bits, and a layout that an extension uses.
///
/// Both directions go through levels of 0...1. In floating point they are exact: an unchanged
/// pixel keeps its stored value.
final class PixelConversion: Sendable {
    let layout: PixelLayout
    /// The number of bands of the image.
    let storedBands: Int
    private let isDeep: Bool
    /// The levels of red, green and blue for each stored value. There is only one table if all bands have the same
    /// levels.
    private let levels: [[Float]]
    /// The levels at which the next higher stored value begins, for linear layouts.
    private let thresholds: [[Float]]

    private init(_ layout: PixelLayout, _ storedBands: Int, isDeep: Bool, _ curves: TransferCurves?)
    {
        self.layout = layout
        self.storedBands = storedBands
        self.isDeep = isDeep
        let greatest = isDeep ? 65535 : 255
        let values = (0...greatest).map { Double($0) / Double(greatest) }
        guard let curves else {
            levels = [values.map { Float($0) }]
            thresholds = []
            return
        }
        let between = (0..<greatest).map { (Double($0) + 0.5) / Double(greatest) }
        let bands = curves.areEqual ? [0] : [0, 1, 2]
        levels = bands.map { curves.light(of: values, inBand: $0) }
        thresholds = zip(bands, levels).map { band, levels in
            Self.thresholds(curves.light(of: between, inBand: band), keeping: levels)
        }
    }

    /// Returns thresholds with which each level is stored as the value that it comes from.
    ///
    /// If several values have the same level, because the curve has a flat part, the highest of them is stored. If the
    /// curve begins with the flat part, the lowest one is stored, so that black stays black.
    private static func thresholds(_ between: [Float], keeping levels: [Float]) -> [Float] {
        between.indices.map { value in
            let level = levels[value]
            let isOwn = level < levels[value + 1] || level == levels[0]
            return isOwn ? max(between[value], level.nextUp) : between[value]
        }
    }

    private var greatest: Float { isDeep ? 65535 : 255 }

    /// Whether the samples of the layout are the stored ones.
    var keepsSamples: Bool { !layout.isLinear && layout.samples == (isDeep ? .uint16 : .uint8) }

    // MARK: - From stored pixels

    /// Converts stored pixels to the layout.
    func read(
        _ stored: UnsafeRawPointer, to pixels: UnsafeMutableRawPointer, count: Int
    ) {
        guard !keepsSamples || storedBands != layout.bands else {
            pixels.copyMemory(from: stored, byteCount: count * layout.bytesPerPixel)
            return
        }
        if isDeep {
            read(stored.assumingMemoryBound(to: UInt16.self), pixels, count)
        } else {
            read(stored.assumingMemoryBound(to: UInt8.self), pixels, count)
        }
    }

    private func read<Stored: FixedWidthInteger & UnsignedInteger>(
        _ stored: UnsafePointer<Stored>, _ pixels: UnsafeMutableRawPointer, _ count: Int
    ) {
        switch layout.samples {
        case .uint8: read(stored, to: pixels.assumingMemoryBound(to: UInt8.self), count)
        case .uint16: read(stored, to: pixels.assumingMemoryBound(to: UInt16.self), count)
        case .float: read(stored, to: pixels.assumingMemoryBound(to: Float.self), count)
        }
    }

    private func read<Stored: FixedWidthInteger & UnsignedInteger, Sample: LayoutSample>(
        _ stored: UnsafePointer<Stored>, to pixels: UnsafeMutablePointer<Sample>, _ count: Int
    ) {
        let (from, to) = (storedBands, layout.bands)
        for band in 0..<3 {
            levels[levels.count == 1 ? 0 : band].withUnsafeBufferPointer { levels in
                for pixel in 0..<count {
                    pixels[pixel * to + band] = Sample(
                        level: levels[Int(stored[pixel * from + band])])
                }
            }
        }
        guard to == 4 else { return }
        for pixel in 0..<count {
            let alpha = from == 4 ? Float(stored[pixel * from + 3]) / greatest : 1
            pixels[pixel * to + 3] = Sample(level: alpha)
        }
    }

    // MARK: - To stored pixels

    /// Converts pixels of the layout to stored pixels with as many bands.
    func store(_ pixels: UnsafeRawPointer, to stored: UnsafeMutableRawPointer, count: Int) {
        if isDeep {
            store(pixels, stored.assumingMemoryBound(to: UInt16.self), count)
        } else {
            store(pixels, stored.assumingMemoryBound(to: UInt8.self), count)
        }
    }

    private func store<Stored: FixedWidthInteger & UnsignedInteger>(
        _ pixels: UnsafeRawPointer, _ stored: UnsafeMutablePointer<Stored>, _ count: Int
    ) {
        switch layout.samples {
        case .uint8: store(pixels.assumingMemoryBound(to: UInt8.self), to: stored, count)
        case .uint16: store(pixels.assumingMemoryBound(to: UInt16.self), to: stored, count)
        case .float: store(pixels.assumingMemoryBound(to: Float.self), to: stored, count)
        }
    }

    private func store<Sample: LayoutSample, Stored: FixedWidthInteger & UnsignedInteger>(
        _ pixels: UnsafePointer<Sample>, to stored: UnsafeMutablePointer<Stored>, _ count: Int
    ) {
        let bands = layout.bands
        let greatest = greatest
        for band in 0..<bands {
            guard layout.isLinear, band < 3 else {
                for index in stride(from: band, to: count * bands, by: bands) {
                    let level = pixels[index].level
                    // NaN becomes 0, because no comparison with it is true.
                    stored[index] =
                        level > 0 ? Stored(min(level, 1) * greatest + 0.5) : 0
                }
                continue
            }
            thresholds[thresholds.count == 1 ? 0 : band].withUnsafeBufferPointer { thresholds in
                for index in stride(from: band, to: count * bands, by: bands) {
                    stored[index] = Stored(
                        truncatingIfNeeded: Self.count(of: thresholds, upTo: pixels[index].level))
                }
            }
        }
    }

    /// Returns the number of thresholds that a level reaches; 0 for NaN.
    @inline(__always)
    private static func count(
        of thresholds: UnsafeBufferPointer<Float>, upTo level: Float
    ) -> Int {
        var (low, high) = (0, thresholds.count)
        while low < high {
            let middle = (low + high) / 2
            if thresholds[middle] <= level { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension PixelConversion {
    private struct Key: Equatable, Sendable {
        let layout: PixelLayout
        let storedBands: Int
        let isDeep: Bool
        /// The profile of a linear layout.
        let profile: [UInt8]?
    }

    /// The most recently used conversions. The tables for 16 bits are expensive to compute.
    private static let recent = LockedValue([(key: Key, conversion: PixelConversion)]())
    private static let limit = 8

    /// Returns the conversion of an image's pixels.
    ///
    /// - Throws: `badRequest` if the image is not RGB or RGBA of 8 or 16 bits, or if its profile has no curves and the
    ///   layout is linear.
    static func between(
        _ image: Image, and layout: PixelLayout
    ) throws(RunnerFailure) -> PixelConversion {
        try require(image)
        let isDeep = image.format == .ushort
        let profile = layout.isLinear ? image.borrowedBlob(ICCProfile.field) : nil
        let known = recent.access { recent in
            recent.first { key, _ in
                key.layout == layout && key.storedBands == image.bands && key.isDeep == isDeep
                    && equal(key.profile, profile)
            }?.conversion
        }
        if let known { return known }
        let key = Key(
            layout: layout, storedBands: image.bands, isDeep: isDeep,
            profile: profile.map { [UInt8]($0) })
        let made = PixelConversion(
            layout, image.bands, isDeep: isDeep, layout.isLinear ? try curves(of: image) : nil)
        recent.access { $0 = [(key, made)] + $0.prefix(limit - 1) }
        return made
    }

    /// - Throws: `badRequest` if the image is not RGB or RGBA of 8 or 16 bits.
    static func require(_ image: Image) throws(RunnerFailure) {
        guard image.format == .uchar || image.format == .ushort, (3...4).contains(image.bands)
        else {
            throw RunnerFailure(
                code: .badRequest,
                message: "only images with 3 or 4 bands of 8 or 16 bits can be read, not "
                    + "\(image.bands) of \(image.format.name)")
        }
    }

    private static func equal(_ own: [UInt8]?, _ other: UnsafeRawBufferPointer?) -> Bool {
        guard let own, let other else { return own == nil && other == nil }
        return own.count == other.count && own.elementsEqual(other)
    }

    /// Returns the transfer curves of an image, those of sRGB without a profile.
    ///
    /// - Throws: `badRequest` if its profile has none.
    static func curves(of image: Image) throws(RunnerFailure) -> TransferCurves {
        guard let profile = image.blob(ICCProfile.field) else { return .sRGB }
        if let curves = TransferCurves(profile: profile) { return curves }
        throw RunnerFailure(
            code: .badRequest,
            message: "the profile of the picture describes its colours without curves, so "
                + "linear light is not supported for it")
    }
}
