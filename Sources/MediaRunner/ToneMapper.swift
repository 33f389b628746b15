// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerSupport

/// Brings frames of high dynamic range into that of sRGB, in memory that it keeps for the next. Used on one
/// thread, which is helped by others.
final class ToneMapper {
    /// What the numbers of the frames stand for.
    let range: HighDynamicRange
    private let mapping: ToneMapping
    private let threads: Int
    private var deepPixels = UnsafeMutableBufferPointer<UInt16>(start: nil, count: 0)
    private var codedPixels = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    init(_ range: HighDynamicRange, threads: Int) {
        self.range = range
        self.threads = max(1, threads)
        mapping = ToneMapping(range)
    }

    deinit {
        deepPixels.deallocate()
        codedPixels.deallocate()
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
        let rows = (size.height + threads - 1) / threads
        let length = size.width * 3
        guard let source = deepPixels.baseAddress,
            let target = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        // Safe: each thread reads and writes rows of its own, and all have ended when this returns.
        nonisolated(unsafe) let (from, to) = (source, target)
        WorkerThread.perform(threads) { [mapping] part in
            let start = min(part * rows, size.height)
            let count = min(rows, size.height - start)
            guard count > 0 else { return }
            mapping.map(
                from + start * length, to: to + start * length, pixels: count * size.width)
        }
    }
}
