// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The metadata of an output: the metadata of the original with all changes applied.
package struct OutputMetadata {
    /// The XMP packet; `nil` if there is none.
    package internal(set) var xmp: XMPPacket?
    /// The IPTC-IIM block; `nil` if there is none.
    package internal(set) var iptc: IPTCBlock?
    /// Whether EXIF is unchanged.
    private(set) var isExifUnchanged: Bool
    /// The EXIF tags that describe the photo, with their changes.
    package internal(set) var tags: DescriptiveExifTags?
    /// The EXIF block of the original for editing in place; `nil` if it must be rebuilt from ``tags``.
    var block: ExifBlock?
    private var changes = MetadataChanges()
    private var exifChanges: ExifChanges?
    /// Whether at most the copyright is kept.
    private let isReduced: Bool

    /// - Parameters:
    ///   - blocks: The metadata of the original.
    ///   - settings: The metadata to remove and to change.
    package init(_ blocks: MetadataBlocks, _ settings: EncodeSettings) {
        isExifUnchanged = settings.omittedMetadata == nil
        isReduced = [.all, .allButCopyright].contains(settings.omittedMetadata)
        block = blocks.hasExcessiveExif ? nil : blocks.exifBlock.flatMap { ExifBlock($0) }
        tags = blocks.exif.flatMap { DescriptiveExifTags($0) }
        xmp = blocks.xmp
        colorSpace = blocks.exif.flatMap(ExifColorSpace.init)
        iptc = blocks.iptc
        var changes = settings.metadataChanges?.differing(from: blocks) ?? MetadataChanges()
        switch settings.omittedMetadata {
        case nil: break
        case .all:
            removeAll()
            addContentIdentifier(settings.metadataChanges)
            return
        case .allButCopyright:
            keepCopyright()
            let kept = changes.copyrightChanges
            if !kept.isEmpty { apply(kept, blocks) }
            addContentIdentifier(settings.metadataChanges)
            return
        case .location, .people, .locationAndPeople:
            if settings.omittedMetadata?.omitsLocation == true {
                removeLocation()
                changes.location = nil
            }
            if settings.omittedMetadata?.omitsPeople == true { removePeople() }
        }
        // The video is outside these blocks. The code that writes the file updates the claims in XMP.
        changes.motionVideo = nil
        if !changes.isEmpty { apply(changes, blocks) }
    }

    /// Adds only the identifier of a Live Photo, which does not describe the photo.
    private mutating func addContentIdentifier(_ changes: MetadataChanges?) {
        guard case .set = changes?.contentIdentifier, let changes = changes?.livePhotoChanges else {
            return
        }
        self.changes = changes
        let exif = ExifChanges(changes, in: nil)
        exifChanges = exif
        var new = tags ?? DescriptiveExifTags()
        new.apply(exif)
        tags = new
    }

    private mutating func apply(_ changes: MetadataChanges, _ blocks: MetadataBlocks) {
        self.changes = changes
        let exif = ExifChanges(changes, in: blocks.exif)
        if !exif.isEmpty {
            exifChanges = exif
            isExifUnchanged = false
            var new = tags ?? DescriptiveExifTags()
            new.apply(exif)
            tags = new.isEmpty ? nil : new
        }
        xmp = XMPPacket.changing(xmp, changes)
        if let old = iptc {
            var editor = IPTCEditor(old)
            editor.apply(changes)
            iptc = editor.block
        }
    }

    // MARK: - Regions and areas

    /// Updates regions and areas for moved pixels, or removes them.
    ///
    /// - Parameters:
    ///   - placement: The placement of the pixels; `nil` if unknown.
    ///   - blocks: The metadata of the original.
    /// - Returns: The kinds of areas that had to be removed.
    package mutating func mapAreas(
        by placement: PixelPlacement?, _ blocks: MetadataBlocks
    ) -> Set<XMPPacket.AreaKind> {
        if placement?.isIdentity == true { return [] }
        removeGeography()
        var removed: Set<XMPPacket.AreaKind> = []
        if let packet = xmp { (xmp, removed) = packet.mappingAreas(by: placement) }
        var exif = exifChanges ?? ExifChanges(MetadataChanges(), in: blocks.exif)
        if tags != nil, !isReduced, !exif.mapAreas(by: placement) { removed.insert(.subject) }
        guard !exif.isEmpty else { return removed }
        exifChanges = exif
        isExifUnchanged = false
        tags?.apply(exif)
        return removed
    }

    // MARK: - EXIF

    /// The colour space in EXIF; `nil` if EXIF has none.
    package private(set) var colorSpace: ExifColorSpace?

    /// Updates the colour space for pixels that were converted.
    package mutating func describe(_ space: ExifColorSpace) {
        guard colorSpace != nil, colorSpace != space else { return }
        colorSpace = space
        isExifUnchanged = false
        block?.describe(space)
        tags?.describe(space)
    }

    /// Removes the white point and the primaries of the original from EXIF, because they do not apply to converted
    /// pixels.
    package mutating func removeChromaticities() {
        guard block?.hasChromaticities ?? false || tags?.hasChromaticities ?? false else { return }
        isExifUnchanged = false
        if block?.removeChromaticities() == false { block = nil }
        tags?.removeChromaticities()
        if tags?.isEmpty == true { tags = nil }
    }

    /// Whether EXIF contains GeoTIFF tags, which locate each pixel on the ground.
    package var hasGeography: Bool { block?.hasGeography ?? false || tags?.hasGeography ?? false }

    /// Removes the GeoTIFF tags, because they do not apply to moved pixels.
    mutating func removeGeography() {
        guard hasGeography else { return }
        isExifUnchanged = false
        if block?.removeGeography() == false { block = nil }
        tags?.removeGeography()
        if tags?.isEmpty == true { tags = nil }
    }

    /// Whether the block of the original has a maker note.
    var hasMakerNote: Bool { block?.hasMakerNote ?? false }

    /// Whether the block of the original can be edited in place. It may be too long.
    package var hasBlock: Bool { block != nil }

    /// Returns the block of the original with its changes.
    ///
    /// - Parameters:
    ///   - size: The size of an upright picture without a thumbnail; `nil` to keep the size and the thumbnail.
    ///   - limit: The maximum length in bytes.
    /// - Returns: The block, or `nil` if it is missing, malformed, or too long.
    package func modifiedBlock(_ size: PixelSize?, limit: Int) -> [UInt8]? {
        guard var block else { return nil }
        if let size { block.describe(width: size.width, height: size.height) }
        if let exifChanges, !block.apply(exifChanges) || !isConsistent(with: block) { return nil }
        return block.isWhole && block.bytes.count <= limit ? block.bytes : nil
    }

    /// Returns a block built from the tags, at most `limit` bytes long. The longest values are dropped if necessary.
    package func rebuiltBlock(_ size: PixelSize, limit: Int) -> [UInt8]? {
        guard let tags = tags?.resized(width: size.width, height: size.height) else { return nil }
        return [limit, 4096, 256].lazy.map { tags.withoutValues(longerThan: $0).block }
            .first { $0.count <= limit }
    }

    /// Whether a block contains all changes when it is read again.
    private func isConsistent(with block: ExifBlock) -> Bool {
        guard let facts = TIFFReader(exif: block.bytes).flatMap(ExifFacts.init) else {
            return false
        }
        switch changes.captureDate {
        case nil: break
        case .set(let date): if facts.dateTimeOriginal?.text != date.text { return false }
        case .remove: if facts.dateTimeOriginal != nil { return false }
        }
        switch changes.location {
        case nil: break
        case .set(let location): if facts.location?.isNear(location) != true { return false }
        case .remove: if facts.location != nil { return false }
        }
        switch changes.contentIdentifier {
        case nil: break
        case .set(let text): if facts.appleNote?.contentIdentifier != text { return false }
        case .remove: if facts.appleNote?.contentIdentifier != nil { return false }
        }
        return true
    }
}
