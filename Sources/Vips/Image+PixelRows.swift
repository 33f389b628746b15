// SPDX-License-Identifier: Apache-2.0

import CVips

extension Image {
    /// Computes all pixels in place into the caller's memory, roughly from the top row down. Nothing is copied.
    ///
    /// - Parameters:
    ///   - memory: At least `byteCount` bytes.
    ///   - isThreaded: Whether to use all of libvips' threads. Otherwise one of them computes everything.
    ///   - written: Called in sequence, on any thread, with the number of complete rows from the top. Return false
    ///     to stop the computation.
    package func writePixels(
        into memory: UnsafeMutableRawBufferPointer, isThreaded: Bool,
        written: @escaping (Int) -> Bool
    ) throws {
        let rows = UnsafeRawBufferPointer(rebasing: memory.prefix(byteCount))
        let target = try Image(
            borrowing: rows, width: width, height: height, bands: bands, format: format,
            interpretation: interpretation)
        let source = isThreaded ? self : try copying { $0.set(VIPS_META_CONCURRENCY, to: 1) }
        let sink = PixelRows(source, target, written)
        let isDone = sink.run()
        guard isDone || sink.isStopped else { throw VipsError.last(in: "write to memory") }
        if !isDone { VipsError.clear() }
    }
}

/// Computes an image's pixels in place, in units of a few rows.
///
/// Threads take units in order. No thread runs further ahead than in libvips' own sinks, because sequential loaders
/// keep only that many rows.
private final class PixelRows {
    private let source: Image
    private let target: Image
    private let written: (Int) -> Bool
    private let tile: (width: Int32, height: Int32)
    /// The height of a unit, and the maximum lead over the first missing row, both in rows.
    private let (unit, lead): (Int32, Int32)
    private let height: Int32
    // State shared by the threads, protected by the lock.
    private let lock = UnsafeMutablePointer<GMutex>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<GCond>.allocate(capacity: 1)
    private var next: Int32 = 0
    private var done: Int32 = 0
    private var finished: Set<Int32> = []
    private var hasFailed = false
    private(set) var isStopped = false

    init(_ source: Image, _ target: Image, _ written: @escaping (Int) -> Bool) {
        self.source = source
        self.target = target
        self.written = written
        height = Int32(source.height)
        var (width, rows, buffered): (Int32, Int32, Int32) = (0, 0, 0)
        vips_get_tile_size(source.pointer, &width, &rows, &buffered)
        // Merges thin strips. There would be too many units of one row.
        tile = (width, max(rows, 16))
        let threads = vips_image_get_concurrency(source.pointer, vips_concurrency_get())
        unit = max(tile.height, buffered / threads / tile.height * tile.height)
        lead = max(2 * buffered, unit)
        g_mutex_init(lock)
        g_cond_init(changed)
    }

    deinit {
        g_mutex_clear(lock)
        g_cond_clear(changed)
        lock.deallocate()
        changed.deallocate()
    }

    /// Computes everything on libvips' threads, which cache memory for it. Returns false if it fails or is stopped.
    func run() -> Bool {
        withExtendedLifetime(self) {
            vips_threadpool_run(
                source.pointer, vips_thread_state_new, takeUnit, computeUnit, nil,
                Unmanaged.passUnretained(self).toOpaque()) == 0
        } && done == height
    }

    private func compute(_ top: Int32, _ region: UnsafeMutablePointer<VipsRegion>) -> Bool {
        guard let place = vips_region_new(target.pointer) else { return false }
        defer { g_object_unref(place) }
        let bottom = min(height, top + unit)
        let width = Int32(source.width)
        var whole = VipsRect(left: 0, top: top, width: width, height: bottom - top)
        guard vips_region_image(place, &whole) == 0 else { return false }
        for y in stride(from: top, to: bottom, by: Int(tile.height)) {
            for x in stride(from: 0, to: width, by: Int(tile.width)) {
                var area = VipsRect(
                    left: x, top: y, width: min(tile.width, width - x),
                    height: min(tile.height, bottom - y))
                guard vips_region_prepare_to(region, place, &area, x, y) == 0 else { return false }
            }
        }
        return true
    }

    /// Returns the first row of the next unit, or nil if there is none. Waits while the unit is too far ahead.
    fileprivate func take() -> Int32? {
        locked {
            while !hasFailed, next < height, next - done >= lead { g_cond_wait(changed, lock) }
            guard !hasFailed, next < height else { return nil }
            defer { next += unit }
            return next
        }
    }

    /// Computes a unit. Returns false if it fails or if the computation is stopped.
    fileprivate func work(_ top: Int32, _ region: UnsafeMutablePointer<VipsRegion>) -> Bool {
        let isComputed = compute(top, region)
        return locked {
            finished.insert(top)
            var rows = done
            while isComputed, finished.remove(rows) != nil { rows = min(height, rows + unit) }
            if rows > done {
                done = rows
                isStopped = isStopped || !written(Int(rows))
            }
            hasFailed = hasFailed || !isComputed || isStopped
            g_cond_broadcast(changed)
            return !hasFailed
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        g_mutex_lock(lock)
        defer { g_mutex_unlock(lock) }
        return body()
    }
}

/// Called by libvips on one worker thread at a time: `a` is the `PixelRows`.
private nonisolated func takeUnit(
    _ state: UnsafeMutablePointer<VipsThreadState>?, _ a: UnsafeMutableRawPointer?,
    _ stop: UnsafeMutablePointer<gboolean>?
) -> Int32 {
    guard let state, let a else { return -1 }
    let rows = Unmanaged<PixelRows>.fromOpaque(a).takeUnretainedValue()
    guard let top = rows.take() else {
        stop?.pointee = 1
        return 0
    }
    state.pointee.y = top
    return 0
}

/// Called by libvips on its worker threads: `a` is the `PixelRows`.
private nonisolated func computeUnit(
    _ state: UnsafeMutablePointer<VipsThreadState>?, _ a: UnsafeMutableRawPointer?
) -> Int32 {
    guard let state, let a, let region = state.pointee.reg else { return -1 }
    let rows = Unmanaged<PixelRows>.fromOpaque(a).takeUnretainedValue()
    return rows.work(state.pointee.y, region) ? 0 : -1
}
