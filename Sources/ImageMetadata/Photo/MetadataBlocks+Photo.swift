// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension MetadataBlocks {
    /// Returns the metadata of the file except the date and the location. EXIF takes precedence over XMP, except for
    /// the title, description and rating: programs that edit these write XMP, but not always EXIF.
    package var photoMetadata: PhotoMetadata {
        let facts = exif.flatMap(ExifFacts.init)
        let records = iptc.map(IPTCRecords.init)
        let note = facts?.appleNote
        return PhotoMetadata(
            burstIdentifier: note?.burstIdentifier, contentIdentifier: note?.contentIdentifier,
            cameraMake: facts?.make ?? text("tiff:Make"),
            cameraModel: facts?.model ?? text("tiff:Model"),
            lensModel: facts?.lensModel ?? text("exifEX:LensModel", "aux:Lens"),
            rating: rating(facts), keywords: keywords(records),
            title: title(facts, records), descriptionText: description(facts, records),
            creator: first(xmp?.creator, facts?.artist, records?.byline),
            copyright: first(xmp?.copyright, facts?.copyright, records?.copyrightNotice),
            label: xmp?.label.flatMap(MetadataText.line),
            exposureTime: facts?.exposureTime ?? xmp?.exposureTime, settings: facts?.settings)
    }

    private func keywords(_ records: IPTCRecords?) -> [String] {
        KeywordPath.joining(
            (xmp?.plainKeywords ?? []) + (records?.keywords ?? []), xmp?.keywordPaths ?? [])
    }

    private func rating(_ facts: ExifFacts?) -> Int? {
        [xmp?.rating, facts?.rating, facts?.percentageRating]
            .compactMap(\.self).first(where: PhotoMetadata.ratings.contains)
    }

    private func title(_ facts: ExifFacts?, _ records: IPTCRecords?) -> String? {
        first(xmp?.title, records?.title, facts?.windowsTitle)
    }

    /// Returns the first text that is a valid line.
    private func first(_ texts: String?...) -> String? {
        texts.lazy.compactMap(\.self).compactMap(MetadataText.line).first
    }

    private func description(_ facts: ExifFacts?, _ records: IPTCRecords?) -> String? {
        let exif = facts?.imageDescription.flatMap {
            DefaultDescriptions.containsInExif($0) ? nil : $0
        }
        return [xmp?.descriptionText, records?.caption, exif, facts?.windowsComment]
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
