// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerSupport

/// How the numbers of a video's frames stand for colours, if that is not as in sRGB.
enum ColorCoding: Hashable {
    /// High dynamic range.
    case high(HighDynamicRange)
    /// The usual range, of other primaries.
    case usual(GamutMapping.Primaries)

    /// What code points of ISO/IEC 23091-2 stand for; nil: numbers are those of sRGB, or close to them.
    init?(transfer: Int, primaries: Int) {
        if let range = HighDynamicRange(transfer: transfer, primaries: primaries) {
            self = .high(range)
        } else if let primaries = GamutMapping.Primaries(codePoint: primaries),
            GamutMapping.isUsual(transfer: transfer)
        {
            self = .usual(primaries)
        } else {
            return nil
        }
    }

    /// What the user should know; nil: nothing is lost but colours outside of sRGB.
    var warning: String? {
        switch self {
        case .high(let range): range.warning
        case .usual: nil
        }
    }
}

/// Brings frames of other colours into sRGB, in memory that is reused for the next. Used on one thread, which is
/// helped by others.
final class ColorMapper {
    /// What the numbers of the frames stand for.
    let coding: ColorCoding
    private let mapping: Mapping
    private let threads: Int
    private var deepPixels = UnsafeMutableBufferPointer<UInt16>(start: nil, count: 0)
    private var codedPixels = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    private enum Mapping {
        case tone(ToneMapping)
        case gamut(GamutMapping)
    }

    init(_ coding: ColorCoding, threads: Int) {
        self.coding = coding
        self.threads = max(1, threads)
        switch coding {
        case .high(let range): mapping = .tone(ToneMapping(range))
        case .usual(let primaries): mapping = .gamut(GamutMapping(primaries))
        }
    }

    deinit {
        deepPixels.deallocate()
        codedPixels.deallocate()
    }

    /// Whether 8 bits a sample are too few for what is mapped, however many the video has.
    var needsDepth: Bool {
        switch mapping {
        case .tone: true
        case .gamut: false
        }
    }

    /// Memory for a frame of 16 bits a sample, which is to be mapped.
    func deep(_ size: PixelSize) -> UnsafeMutableBufferPointer<UInt16> {
        let count = size.width * size.height * 3
        if deepPixels.count < count {
            deepPixels.deallocate()
            deepPixels = .allocate(capacity: count)
        }
        return deepPixels
    }

    /// Memory for a frame that is still to be turned.
    func coded(_ size: PixelSize) -> UnsafeMutableRawBufferPointer {
        let count = size.width * size.height * 3
        if codedPixels.count < count {
            codedPixels.deallocate()
            codedPixels = .allocate(byteCount: count, alignment: 16)
        }
        return codedPixels
    }

    /// Maps the frame that was written to `deep` to RGB of 8 bits a sample.
    func map(_ size: PixelSize, to memory: UnsafeMutableRawBufferPointer) {
        guard let source = deepPixels.baseAddress,
            let target = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        // Safe: each thread reads and writes pixels of its own, and all have ended when this returns.
        nonisolated(unsafe) let (from, to) = (source, target)
        let mapping = mapping
        inParts(of: size) { pixels in
            let (from, to) = (from + pixels.lowerBound * 3, to + pixels.lowerBound * 3)
            switch mapping {
            case .tone(let mapping): mapping.map(from, to: to, pixels: pixels.count)
            case .gamut(let mapping): mapping.map(from, to: to, pixels: pixels.count)
            }
        }
    }

    /// Maps a frame of 8 bits a sample in place, unless it ``needsDepth``.
    func map(_ size: PixelSize, in memory: UnsafeMutableRawBufferPointer) {
        guard case .gamut(let mapping) = mapping,
            let target = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        // Safe: each thread reads and writes pixels of its own, and all have ended when this returns.
        nonisolated(unsafe) let to = target
        inParts(of: size) { pixels in
            mapping.map(to + pixels.lowerBound * 3, pixels: pixels.count)
        }
    }

    /// Calls a function for parts of a frame's pixels, on several threads.
    private func inParts(of size: PixelSize, _ body: @escaping @Sendable (Range<Int>) -> Void) {
        let all = size.width * size.height
        let share = (all + threads - 1) / threads
        WorkerThread.perform(threads) { part in
            let start = min(part * share, all)
            let end = min(start + share, all)
            if start < end { body(start..<end) }
        }
    }
}
