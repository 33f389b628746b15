// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension MetadataBlocks {
    /// Returns the metadata of the file except the date and the location. EXIF takes precedence over XMP, except for
    /// the title, description and rating: programs that edit these write XMP, but not always EXIF.
    ///
    /// - Parameter sidecars: XMP files. Their user-written values take precedence over those of the file, because
    ///   programs that do not modify photographs write their users' values there.
    package func photoMetadata(_ sidecars: [XMPPacket]) -> PhotoMetadata {
        let facts = exif.flatMap(ExifFacts.init)
        let records = iptc.map(IPTCRecords.init)
        let note = facts?.appleNote
        let embedded = (xmp?.keywords ?? []) + (records?.keywords ?? [])
        let sidecarKeywords = sidecars.lazy.map { $0.keywords }.first { !$0.isEmpty } ?? []
        let packets = sidecars + [xmp].compactMap(\.self)
        return PhotoMetadata(
            burstIdentifier: note?.burstIdentifier, contentIdentifier: note?.contentIdentifier,
            cameraMake: facts?.make ?? text("tiff:Make"),
            cameraModel: facts?.model ?? text("tiff:Model"),
            lensModel: facts?.lensModel ?? text("exifEX:LensModel", "aux:Lens"),
            rating: rating(facts, sidecars),
            keywords: sidecarKeywords.isEmpty ? embedded : sidecarKeywords,
            title: title(facts, records, sidecars),
            descriptionText: description(facts, records, sidecars),
            label: packets.lazy.compactMap(\.label).compactMap(MetadataText.line).first,
            exposureTime: facts?.exposureTime ?? xmp?.exposureTime
                ?? sidecars.lazy.compactMap(\.exposureTime).first,
            settings: facts?.settings)
    }

    private func rating(_ facts: ExifFacts?, _ sidecars: [XMPPacket]) -> Int? {
        (sidecars.map(\.rating) + [xmp?.rating, facts?.rating, facts?.percentageRating])
            .compactMap(\.self).first(where: PhotoMetadata.ratings.contains)
    }

    private func title(
        _ facts: ExifFacts?, _ records: IPTCRecords?, _ sidecars: [XMPPacket]
    ) -> String? {
        (sidecars.map(\.title) + [xmp?.title, records?.title, facts?.windowsTitle])
            .lazy.compactMap(\.self).compactMap(MetadataText.line).first
    }

    private func description(
        _ facts: ExifFacts?, _ records: IPTCRecords?, _ sidecars: [XMPPacket]
    ) -> String? {
        let exif = facts?.imageDescription.flatMap {
            DefaultDescriptions.containsInExif($0) ? nil : $0
        }
        return
            (sidecars.map(\.descriptionText)
            + [xmp?.descriptionText, records?.caption, exif, facts?.windowsComment])
            .lazy.compactMap(\.self).filter { !DefaultDescriptions.contains($0) }
            .compactMap(MetadataText.lines).first
    }

    /// The media subtypes declared in the metadata.
    package var mediaSubtypes: MediaSubtype {
        let facts = exif.flatMap(ExifFacts.init)
        let note = facts?.appleNote
        var subtypes = xmp?.mediaSubtypes ?? []
        switch facts?.customRendered {
        // The value 4 is the single exposure that is stored with a merged picture.
        case 2, 3: subtypes.insert(.photoHDR)
        case 6: subtypes.insert(.photoPanorama)
        case 7: subtypes.formUnion([.photoHDR, .photoDepthEffect])
        case 8: subtypes.insert(.photoDepthEffect)
        default: break
        }
        if note?.isHDR == true { subtypes.insert(.photoHDR) }
        if note?.contentIdentifier.flatMap(PhotoMetadata.text) != nil {
            subtypes.insert(.photoLive)
        }
        if facts?.userComment?.trimmingBlanks == XMPPacket.screenshot {
            subtypes.insert(.photoScreenshot)
        }
        return subtypes
    }

    private func text(_ properties: String...) -> String? {
        properties.lazy.compactMap { xmp?.value($0) }.first
    }
}
