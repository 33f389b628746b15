// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol
import Vips

/// The original, opened for its header: whose metadata and profile outputs carry.
final class MetadataSource: Sendable {
    /// The opened header.
    let image: Image
    /// The file.
    let bytes: Bytes
    /// The format by content.
    let format: MediaFormat
    /// EXIF, XMP and IPTC.
    let blocks: MetadataBlocks
    /// The size of the picture held upright.
    let uprightSize: PixelSize
    /// How the stored picture is turned to be upright, 1...8; nil where it is not known.
    let orientation: Int?
    /// The ICC profile, if it is one for RGB and the pixels are RGB.
    let profile: [UInt8]?

    init(file: OpenFile) throws(RunnerFailure) {
        let decoder = try Decoder(file: file)
        bytes = decoder.bytes
        format = decoder.format
        image = try decoder.header()
        blocks = MetadataBlocks(decoder.bytes, decoder.format, header: image)
        let pending = decoder.pendingOrientation(image)
        uprightSize =
            pending > 4 ? PixelSize(width: image.height, height: image.width) : image.size
        switch decoder.format {
        case .heic, .avif: orientation = HEIFProperties(decoder.bytes)?.orientation
        case .jxl:
            let isUpright = blocks.exif.flatMap(ExifFacts.init)?.orientation ?? 1 == 1
            orientation = isUpright ? 1 : nil
        default: orientation = pending
        }
        // Believed here exactly when the working image keeps it.
        let isRGB = WorkingColor.keepsProfile(image)
        let profile = isRGB ? image.blob(ICCProfile.field) : nil
        self.profile = profile.flatMap { ICCProfile.colorSpace($0) == .rgb ? $0 : nil }
    }
}
