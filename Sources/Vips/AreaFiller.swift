// SPDX-License-Identifier: Apache-2.0

/// Computes the pixels of an image on demand.
package protocol AreaFiller: AnyObject, Sendable {
    /// Computes an area. Called by libvips on its worker threads, concurrently.
    ///
    /// - Parameters:
    ///   - area: The area.
    ///   - pixels: The first pixel of the area, in the format of the image.
    ///   - bytesPerRow: The distance between rows in bytes.
    /// - Returns: A description of the failure, or nil if the pixels were computed.
    func fill(_ area: PixelArea, _ pixels: UnsafeMutableRawPointer, bytesPerRow: Int) -> String?
}
