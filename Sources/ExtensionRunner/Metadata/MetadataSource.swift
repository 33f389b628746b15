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
    /// The ICC profile, if it is one for RGB and the pixels are RGB.
    let profile: [UInt8]?

    init(file: OpenFile) throws(RunnerFailure) {
        let decoder = try Decoder(file: file)
        bytes = decoder.bytes
        format = decoder.format
        image = try decoder.header()
        blocks = MetadataBlocks(decoder.bytes, decoder.format, header: image)
        // Believed here exactly when the working image keeps it.
        let isRGB = WorkingColor.keepsProfile(image)
        let profile = isRGB ? image.blob(ICCProfile.field) : nil
        self.profile = profile.flatMap { ICCProfile.colorSpace($0) == .rgb ? $0 : nil }
    }
}
