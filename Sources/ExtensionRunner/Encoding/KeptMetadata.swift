// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

/// What an output is to keep of the original's metadata.
struct KeptMetadata {
    /// The EXIF block to be written as it is; nil where it has to be built of ``tags``.
    private(set) var block: ExifBlock?
    /// The tags that tell of the photograph.
    private(set) var tags: ExifTags?
    /// XMP.
    private(set) var xmp: XMPPacket?
    /// IPTC-IIM.
    private(set) var iptc: IPTCBlock?
    /// Whether nothing is left out, so that what libvips read of the EXIF can be used, too.
    let isWhole: Bool

    /// - Parameter omitted: what is left out.
    init(_ blocks: MetadataBlocks, omitting omitted: EncodeSettings.OmittedMetadata?) {
        isWhole = omitted == nil
        block = blocks.hasExcessiveExif ? nil : blocks.exifBlock.flatMap { ExifBlock($0) }
        tags = blocks.exif.flatMap { ExifTags($0) }
        xmp = blocks.xmp
        iptc = blocks.iptc
        if omitted == .location { removeLocation() }
    }

    /// What places cannot be taken out of goes as a whole.
    private mutating func removeLocation() {
        if block?.removeLocation() == false { block = nil }
        tags?.removeLocation()
        if xmp?.removeLocation() == false { xmp = nil }
        iptc = iptc?.withoutLocation
    }
}
