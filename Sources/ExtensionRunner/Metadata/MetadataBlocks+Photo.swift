// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension MetadataBlocks {
    /// Camera, burst, rating, keywords. What EXIF says is believed before XMP, but for the rating:
    /// programs that change one write XMP, and not all of them EXIF.
    ///
    /// - Parameter sidecars: files beside, for a rating or keywords that the file does not have.
    func photoMetadata(_ sidecars: [XMPPacket]) -> PhotoMetadata {
        let facts = exif.flatMap(ExifFacts.init)
        let note = facts?.appleNote
        let own =
            (xmp?.items("dc:subject") ?? []) + (iptc.map(IPTCRecords.init)?.keywords ?? [])
        let beside = sidecars.lazy.map { $0.items("dc:subject") }.first { !$0.isEmpty } ?? []
        return PhotoMetadata(
            burstIdentifier: note?.burstIdentifier, contentIdentifier: note?.contentIdentifier,
            cameraMake: facts?.make ?? text("tiff:Make"),
            cameraModel: facts?.model ?? text("tiff:Model"),
            lensModel: facts?.lensModel ?? text("exifEX:LensModel", "aux:Lens"),
            rating: xmp?.rating ?? facts?.rating ?? sidecars.lazy.compactMap(\.rating).first,
            keywords: own.isEmpty ? beside : own)
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

    private func text(_ properties: String...) -> String? {
        properties.lazy.compactMap { xmp?.value($0) }.first
            .map { XMPPacket.unescaped(ArraySlice($0.utf8)) }
    }
}
