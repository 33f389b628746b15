// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerSupport

/// Converts frames to sRGB, in buffers that are reused for the next frame.
///
/// An instance is confined to one thread. The conversion itself is distributed over several threads.
final class ColorMapper {
    /// The colour encoding of the frames.
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
        case .standard(let primaries): mapping = .gamut(GamutMapping(primaries))
        }
    }

    deinit {
        deepPixels.deallocate()
        codedPixels.deallocate()
    }

    /// `true` if the conversion needs more than 8 bits per sample, regardless of the video's bit depth.
    var needsDepth: Bool {
        switch mapping {
        case .tone: true
        case .gamut: false
        }
    }

    /// Returns the buffer for a source frame with 16 bits per sample.
    func deep(_ size: PixelSize) -> UnsafeMutableBufferPointer<UInt16> {
        let count = size.width * size.height * 3
        if deepPixels.count < count {
            deepPixels.deallocate()
            deepPixels = .allocate(capacity: count)
        }
        return deepPixels
    }

    /// Returns the buffer for a converted frame before rotation.
    func coded(_ size: PixelSize) -> UnsafeMutableRawBufferPointer {
        let count = size.width * size.height * 3
        if codedPixels.count < count {
            codedPixels.deallocate()
            codedPixels = .allocate(byteCount: count, alignment: 16)
        }
        return codedPixels
    }

    /// Converts the frame in the buffer of ``deep(_:)`` to RGB with 8 bits per sample.
    func map(_ size: PixelSize, to memory: UnsafeMutableRawBufferPointer) {
        guard let source = deepPixels.baseAddress,
            let target = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        // Safe: each thread accesses its own pixels, and all threads are finished when this returns.
        nonisolated(unsafe) let (from, to) = (source, target)
        let mapping = mapping
        forEachPart(of: size) { pixels in
            let (from, to) = (from + pixels.lowerBound * 3, to + pixels.lowerBound * 3)
            switch mapping {
            case .tone(let mapping): mapping.map(from, to: to, pixels: pixels.count)
            case .gamut(let mapping): mapping.map(from, to: to, pixels: pixels.count)
            }
        }
    }

    /// Converts a frame with 8 bits per sample in place. It is a no-op if the conversion ``needsDepth``.
    func map(_ size: PixelSize, in memory: UnsafeMutableRawBufferPointer) {
        guard case .gamut(let mapping) = mapping,
            let target = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        // Safe: each thread accesses its own pixels, and all threads are finished when this returns.
        nonisolated(unsafe) let to = target
        forEachPart(of: size) { pixels in
            mapping.map(to + pixels.lowerBound * 3, pixels: pixels.count)
        }
    }

    /// Calls a function concurrently for ranges that cover all pixels of a frame.
    private func forEachPart(of size: PixelSize, _ body: @escaping @Sendable (Range<Int>) -> Void) {
        let all = size.width * size.height
        let share = (all + threads - 1) / threads
        WorkerThread.perform(threads) { part in
            let start = min(part * share, all)
            let end = min(start + share, all)
            if start < end { body(start..<end) }
        }
    }
}
