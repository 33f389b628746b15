// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import ImageMetadata
import RunnerProtocol
import Vips

/// The opened header of the original, the source of metadata and profile for outputs.
final class MetadataSource: Sendable {
    /// The opened header.
    let image: Image
    /// The bytes of the file.
    let bytes: Bytes
    /// The format, detected from the content.
    let format: MediaFormat
    /// The EXIF, XMP and IPTC blocks.
    let blocks: MetadataBlocks
    /// The size of the upright picture.
    let uprightSize: PixelSize
    /// The orientation of the stored picture, 1...8; `nil` if unknown.
    let orientation: Int?
    /// The ICC profile, if it is an RGB profile and the pixels are RGB.
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
        // The profile is read under the same condition under which the working image keeps it.
        let isRGB = WorkingColor.keepsProfile(image)
        let profile = isRGB ? image.blob(ICCProfile.field) : nil
        self.profile = profile.flatMap { ICCProfile.colorSpace($0) == .rgb ? $0 : nil }
    }
}
