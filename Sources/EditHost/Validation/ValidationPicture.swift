// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import RunnerHost

/// Pixels in memory.
struct ValidationPicture: Hashable, Sendable {
    let layout: UncompressedLayout
    let bytes: Data

    var size: PixelSize { PixelSize(width: layout.width, height: layout.height) }
    var bands: Int { layout.pixelFormat.hasAlpha ? 4 : 3 }

    init(layout: UncompressedLayout, bytes: Data) {
        self.layout = layout
        self.bytes = bytes
    }

    init(_ pixels: UncompressedPixels) throws {
        self.init(
            layout: pixels.layout,
            bytes: try pixels.buffer.memory.read(count: pixels.layout.byteCount))
    }

    /// Creates a picture with many colours. Red and green are gradients, and blue has sharp edges unless it is smooth.
    ///
    /// 16-bit pixels have the same colours as 8-bit ones. Alpha is `opacity` everywhere.
    init(
        _ width: Int = 48, _ height: Int = 36, _ format: PixelFormat = .rgb8,
        profile: ColorProfile = .sRGB, isSmooth: Bool = false
    ) {
        layout = UncompressedLayout(
            width: width, height: height, pixelFormat: format, profile: profile)
        var samples: [UInt8] = []
        samples.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                samples.append(UInt8(x * 255 / max(1, width - 1)))
                samples.append(UInt8(y * 255 / max(1, height - 1)))
                let place = isSmooth ? (x + y) / 2 : x * 37 + y * 91
                samples.append(UInt8(place % (isSmooth ? 256 : 251)))
                if format.hasAlpha { samples.append(Self.opacity) }
            }
        }
        bytes =
            format.bitsPerSample == 8
            ? Data(samples)
            : samples.map { UInt16($0) * 257 }.withUnsafeBytes { Data($0) }
    }

    /// Returns a gray picture.
    static func gray(_ width: Int, _ height: Int) -> ValidationPicture {
        let layout = UncompressedLayout(
            width: width, height: height, pixelFormat: .rgb8, profile: .sRGB)
        return ValidationPicture(
            layout: layout, bytes: Data(repeating: 128, count: layout.byteCount))
    }

    /// The alpha of every pixel, if the format has alpha. Not half of 255, which inverting alpha would keep.
    static let opacity: UInt8 = 160

    /// Returns the pixels in new memory.
    func file() throws -> OpenFile { try OpenFile.memory("pixels", holding: bytes) }

    /// Returns the pixels in new memory that cannot change.
    func sealedFile() throws -> OpenFile { try OpenFile.sealedMemory("pixels", holding: bytes) }

    /// Returns a picture whose pixels are moved by a number of places in row order. Those at the end wrap to the
    /// beginning.
    func shifted(by places: Int) -> ValidationPicture {
        let count = places * bands * layout.pixelFormat.bitsPerSample / 8
        return ValidationPicture(layout: layout, bytes: bytes.suffix(count) + bytes.dropLast(count))
    }

    /// The samples of all bands in 8-bit levels, with fractions.
    var levels: [Double] {
        guard layout.pixelFormat.bitsPerSample == 16 else { return bytes.map(Double.init) }
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Double(bytes.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self)) / 257
            }
        }
    }

    /// Returns the colours of the pixels whose alpha is at least that of the input, or nil for others.
    func colors(fullOpacity: Double = Double(Self.opacity)) -> [[Double]?] {
        let levels = levels
        return stride(from: 0, to: levels.count, by: bands).map { start in
            guard bands == 3 || levels[start + 3] > fullOpacity - 1 else { return nil }
            return Array(levels[start..<start + 3])
        }
    }

    /// Returns the fraction of the pixels whose colours differ from another picture's by more than `limit` 8-bit
    /// levels. Pixels that are more transparent than the input's are ignored.
    func share(differingFrom other: ValidationPicture, by limit: Double) -> Double {
        guard size == other.size else { return 1 }
        var (count, differing) = (0, 0)
        for case (let mine?, let theirs?) in zip(colors(), other.colors()) {
            count += 1
            if zip(mine, theirs).contains(where: { abs($0 - $1) > limit }) { differing += 1 }
        }
        return count == 0 ? 0 : Double(differing) / Double(count)
    }

    /// Returns the mean difference of the colours from those of a larger picture that is reduced to the same size, in
    /// 8-bit levels. Each pixel is compared with the mean of the pixels that it covers.
    func meanDifference(fromReduced large: ValidationPicture) -> Double {
        let (mine, theirs) = (colors(fullOpacity: 1), large.colors(fullOpacity: 1))
        var (sum, count) = (0.0, 0)
        for y in 0..<size.height {
            let rows = Self.range(y, of: size.height, in: large.size.height)
            for x in 0..<size.width {
                let columns = Self.range(x, of: size.width, in: large.size.width)
                let covered = rows.flatMap { row in
                    columns.compactMap { theirs[row * large.size.width + $0] }
                }
                guard let color = mine[y * size.width + x], !covered.isEmpty else { continue }
                for band in 0..<3 {
                    let mean = covered.reduce(0) { $0 + $1[band] } / Double(covered.count)
                    sum += abs(mean - color[band])
                    count += 1
                }
            }
        }
        return count == 0 ? 0 : sum / Double(count)
    }

    private static func range(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
        let start = index * length / count
        return start..<max(start + 1, (index + 1) * length / count)
    }

    /// Returns a part of the picture, which is inside it.
    func cropped(_ left: Int, _ top: Int, _ size: PixelSize) -> ValidationPicture {
        var part = layout
        (part.width, part.height) = (size.width, size.height)
        let pixel = bands * layout.pixelFormat.bitsPerSample / 8
        var cropped = Data()
        for row in top..<top + size.height {
            let start = bytes.startIndex + (row * layout.width + left) * pixel
            cropped.append(bytes[start..<start + size.width * pixel])
        }
        return ValidationPicture(layout: part, bytes: cropped)
    }
}
