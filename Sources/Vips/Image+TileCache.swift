// SPDX-License-Identifier: Apache-2.0

import CVips

extension Image {
    /// Returns the same image with a cache of tiles, whose size is the one that the image's operations prefer.
    ///
    /// libvips shrinks an image line by line. For one line, an operation that works in tiles, such as a rotation or a
    /// blur, reads nearly as much as for a hundred lines. Without the cache, it would do so again for each line.
    ///
    /// - Parameter factor: The factor by which the image is going to be reduced.
    /// - Returns: The cached image, or the image itself if it is computed in lines or is in memory.
    /// - Throws: `VipsError`.
    public func cachingTiles(forReductionBy factor: Double) throws -> Image {
        let style = pointer.pointee.dhint
        guard style == VIPS_DEMAND_STYLE_SMALLTILE || style == VIPS_DEMAND_STYLE_FATSTRIP,
            vips_image_ispartial(pointer) != 0
        else { return self }
        var (columns, rows, buffered): (Int32, Int32, Int32) = (0, 0, 0)
        vips_get_tile_size(pointer, &columns, &rows, &buffered)
        return try applying(
            "tilecache",
            [
                "tile_width": .integer(Int(columns)), "tile_height": .integer(Int(rows)),
                "max_tiles": .integer(tileCount(Int(columns), Int(rows), factor)),
                "threaded": true,
            ])
    }

    /// Returns the number of tiles that all threads need concurrently, one tile of the reduced image each.
    private func tileCount(_ columns: Int, _ rows: Int, _ factor: Double) -> Int {
        let inAll = (width + columns - 1) / columns
        let reduction = factor.isFinite && factor < 1e6 ? Int(max(1, factor)) : inAll
        let across = min(inAll, reduction + 3)
        let threads = max(1, Int(vips_concurrency_get()))
        let byteCount = max(1, columns * rows * bands * format.size)
        // Limits the memory. Tiles that do not fit are recomputed.
        let most = max(16, Self.tileCacheBytes / byteCount)
        return min(most, max(2 * inAll, 2 * threads * across))
    }

    private static let tileCacheBytes = 64 << 20
}
