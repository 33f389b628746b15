// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Synchronization

/// What an application that edits by itself reads, and where it writes. The folder goes with the
/// last input or output that refers to it.
package final class ContentEditingFiles: Sendable {
    let fullSizeImage: URL?
    let displaySizeImage: DisplaySizeImage?
    private let folder: URL
    private let owner: any AnyObject & Sendable
    private let outputCount = Mutex(0)

    /// - Parameters:
    ///   - folder: where outputs are written.
    ///   - owner: keeps the folder as long as it lives.
    package init(
        fullSizeImage: URL?, displaySizeImage: DisplaySizeImage?, folder: URL,
        owner: any AnyObject & Sendable
    ) {
        self.fullSizeImage = fullSizeImage
        self.displaySizeImage = displaySizeImage
        self.folder = folder
        self.owner = owner
    }

    /// Where a new output is written, without an ending.
    func makeOutput() -> URL {
        let number = outputCount.withLock { count in
            count += 1
            return count
        }
        return folder.appending(path: "output-\(number)")
    }
}

/// A picture for the screen: uncompressed pixels, rows from top to bottom without gaps, upright,
/// straight alpha.
public struct DisplaySizeImage: Sendable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bands and bits of a pixel.
    public let pixelFormat: PixelFormat
    /// The colour profile of the pixels.
    public let profile: ColorProfile
    /// The bytes of the photograph's own ICC profile, where ``profile`` is `original` and it has one;
    /// without, the pixels are sRGB.
    public let originalProfile: Data?
    /// The pixels: 16-bit numbers in native byte order.
    public let data: Data

    /// Numbers in a pixel, alpha included: 3 or 4.
    public var bands: Int { pixelFormat.hasAlpha ? 4 : 3 }
    /// Bytes from the beginning of a row to that of the next one.
    public var bytesPerRow: Int { width * bands * pixelFormat.bitsPerSample / 8 }

    /// Makes an image; every argument is the property of its name.
    package init(layout: RawLayout, originalProfile: Data?, data: Data) {
        width = layout.width
        height = layout.height
        pixelFormat = layout.pixelFormat
        profile = layout.profile
        self.originalProfile = originalProfile
        self.data = data
    }
}
