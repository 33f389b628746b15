// SPDX-License-Identifier: Apache-2.0

/// A rectangle of pixels. Its origin is the top left corner of the image.
package struct PixelArea: Hashable, Sendable {
    package let left: Int
    package let top: Int
    package let width: Int
    package let height: Int

    package init(left: Int, top: Int, width: Int, height: Int) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }

    /// Whether the rectangle is not empty and lies within an image.
    package func isInside(_ image: Image) -> Bool {
        width >= 1 && height >= 1 && left >= 0 && top >= 0 && width <= image.width
            && height <= image.height && left <= image.width - width
            && top <= image.height - height
    }
}
