// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

/// An encoded preview of an edit.
public struct EditPreview: Sendable {
    /// The bytes of the encoded image. It contains no metadata except the colour profile.
    public let data: Data
    /// The size of the encoded image.
    public let size: PixelSize
    /// The size that the whole edited picture has at full size. It is exact if the edit keeps the size of its input or
    /// turns the picture by 90 degrees; otherwise it is calculated from the preview, to about one pixel of the preview.
    public let fullSize: PixelSize

    init(_ picture: EncodedOutput.Picture) throws {
        data = try picture.bytes.read(count: picture.bytes.byteCount())
        size = picture.size
        // A runner with an untrusted extension may report anything.
        let sides = 1...(1 << 20)
        let full = picture.fullSize ?? picture.size
        fullSize = sides.contains(full.width) && sides.contains(full.height) ? full : picture.size
    }
}
