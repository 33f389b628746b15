// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension MetadataBlocks {
    /// Camera, burst, rating, keywords. What EXIF says is believed before XMP, but for the rating:
    /// programs that change one write XMP, and not all of them EXIF.
    var photoMetadata: PhotoMetadata {
        let facts = exif.flatMap(ExifFacts.init)
        let note = facts?.appleNote
        return PhotoMetadata(
            burstIdentifier: note?.burstIdentifier, contentIdentifier: note?.contentIdentifier,
            cameraMake: facts?.make ?? text("tiff:Make"),
            cameraModel: facts?.model ?? text("tiff:Model"),
            lensModel: facts?.lensModel ?? text("exifEX:LensModel", "aux:Lens"),
            rating: xmpRating ?? facts?.rating,
            keywords: (xmp?.items("dc:subject") ?? [])
                + (iptc.map(IPTCRecords.init)?.keywords ?? []))
    }

    /// What kinds of picture the metadata says it is.
    var mediaSubtypes: MediaSubtype {
        let facts = exif.flatMap(ExifFacts.init)
        var subtypes: MediaSubtype = []
        switch facts?.customRendered {
        // 4 is the single exposure that is kept beside a picture made of several.
        case 2, 3: subtypes.insert(.photoHDR)
        case 6: subtypes.insert(.photoPanorama)
        case 7: subtypes.formUnion([.photoHDR, .photoDepthEffect])
        case 8: subtypes.insert(.photoDepthEffect)
        default: break
        }
        if facts?.appleNote?.isHDR == true { subtypes.insert(.photoHDR) }
        if isSpherical { subtypes.insert(.photoPanorama) }
        if facts?.userComment?.trimmingBlanks == Self.screenshot
            || xmp?.items("exif:UserComment").contains(Self.screenshot) == true
        {
            subtypes.insert(.photoScreenshot)
        }
        return subtypes
    }

    /// The comment that Apple's systems write.
    private static let screenshot = "Screenshot"

    /// A panorama by the properties that Google's cameras began to write.
    private var isSpherical: Bool {
        xmp?.value("GPano:ProjectionType") != nil
            && xmp?.value("GPano:UsePanoramaViewer")?.lowercased() != "false"
    }

    private var xmpRating: Int? {
        let value = xmp?.value("xmp:Rating") ?? xmp?.value("xap:Rating")
        return value.flatMap(Double.init).flatMap { Int(exactly: $0.rounded()) }
    }

    private func text(_ properties: String...) -> String? {
        properties.lazy.compactMap { xmp?.value($0) }.first
            .map { XMPPacket.unescaped(ArraySlice($0.utf8)) }
    }
}
