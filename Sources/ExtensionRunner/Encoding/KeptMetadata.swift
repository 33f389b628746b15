// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// What an output is to say, of what its original says and of what is changed of that.
struct KeptMetadata {
    /// XMP.
    private(set) var xmp: XMPPacket?
    /// IPTC-IIM.
    private(set) var iptc: IPTCBlock?
    /// Whether all of the EXIF stays what it is, so that what libvips read of it can be used, too.
    private(set) var isExifUnchanged: Bool
    /// The tags that tell of the photograph, with their changes.
    private(set) var tags: ExifTags?
    /// The original's block, which is changed where it stands; nil where it has to be built of ``tags``.
    private var block: ExifBlock?
    private var changes = MetadataChanges()
    private var exifChanges: ExifChanges?
    /// Whether no more than the copyright is kept.
    private let isReduced: Bool

    /// - Parameters:
    ///   - blocks: What the original says.
    ///   - settings: What is left out, and what is changed.
    init(_ blocks: MetadataBlocks, _ settings: EncodeSettings) {
        isExifUnchanged = settings.omittedMetadata == nil
        isReduced = [.all, .allButCopyright].contains(settings.omittedMetadata)
        block = blocks.hasExcessiveExif ? nil : blocks.exifBlock.flatMap { ExifBlock($0) }
        tags = blocks.exif.flatMap { ExifTags($0) }
        xmp = blocks.xmp
        colorSpace = blocks.exif.flatMap(ExifColorSpace.init)
        iptc = blocks.iptc
        var changes = settings.metadataChanges?.differing(from: blocks) ?? MetadataChanges()
        switch settings.omittedMetadata {
        case nil: break
        case .all:
            keepNothing()
            addContentIdentifier(settings.metadataChanges)
            return
        case .allButCopyright:
            keepCopyright()
            addContentIdentifier(settings.metadataChanges)
            return
        case .location:
            removeLocation()
            changes.location = nil
        }
        // The video is no part of these blocks: what XMP says of it is said by who writes the file.
        changes.motionVideo = nil
        if !changes.isEmpty { apply(changes, blocks) }
    }

    /// It says nothing of the photograph, but which video belongs to it.
    private mutating func addContentIdentifier(_ wanted: MetadataChanges?) {
        guard case .set = wanted?.contentIdentifier, let marks = wanted?.livePhotoMarks else {
            return
        }
        changes = marks
        let exif = ExifChanges(marks, in: nil)
        exifChanges = exif
        var new = tags ?? ExifTags()
        new.apply(exif)
        tags = new
    }

    private mutating func keepNothing() {
        (block, tags, xmp, iptc) = (nil, nil, nil, nil)
    }

    private mutating func keepCopyright() {
        block = nil
        tags = tags.map(\.copyright).flatMap { $0.isEmpty ? nil : $0 }
        xmp = xmp.flatMap(\.copyright)
        if let old = iptc {
            var editor = IPTCEditor(old)
            editor.keepCopyright()
            iptc = editor.block
        }
    }

    /// What places cannot be taken out of goes as a whole.
    private mutating func removeLocation() {
        if block?.removeLocation() == false { block = nil }
        tags?.removeLocation()
        if xmp?.removeLocation() == false { xmp = nil }
        iptc = iptc?.withoutLocation
    }

    private mutating func apply(_ changes: MetadataChanges, _ blocks: MetadataBlocks) {
        self.changes = changes
        let exif = ExifChanges(changes, in: blocks.exif)
        if !exif.isEmpty {
            exifChanges = exif
            isExifUnchanged = false
            var new = tags ?? ExifTags()
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

    // MARK: - Places

    /// Says where things are in a picture whose pixels are elsewhere, or nothing of them.
    ///
    /// - Parameters:
    ///   - placement: Where the pixels are; nil: it is not known.
    ///   - blocks: What the original says.
    /// - Returns: what had to be left out.
    mutating func place(
        _ placement: PixelPlacement?, _ blocks: MetadataBlocks
    ) -> Set<XMPPacket.Place> {
        if placement?.isIdentity == true { return [] }
        removeGeography()
        var lost: Set<XMPPacket.Place> = []
        if let packet = xmp { (xmp, lost) = packet.placed(placement) }
        var exif = exifChanges ?? ExifChanges(MetadataChanges(), in: blocks.exif)
        if tags != nil, !isReduced, !exif.place(placement) { lost.insert(.subject) }
        guard !exif.isEmpty else { return lost }
        exifChanges = exif
        isExifUnchanged = false
        tags?.apply(exif)
        return lost
    }

    // MARK: - EXIF

    /// The colour space that EXIF says; nil where it says nothing of it.
    private(set) var colorSpace: ExifColorSpace?

    /// Says what colour space a picture has whose pixels are in another one.
    mutating func describe(_ space: ExifColorSpace) {
        guard colorSpace != nil, colorSpace != space else { return }
        colorSpace = space
        isExifUnchanged = false
        block?.describe(space)
        tags?.describe(space)
    }

    /// Whether something says where on earth each pixel is.
    var hasGeography: Bool { block?.hasGeography ?? false || tags?.hasGeography ?? false }

    /// Takes that away, of a picture whose pixels are others.
    mutating func removeGeography() {
        guard hasGeography else { return }
        isExifUnchanged = false
        if block?.removeGeography() == false { block = nil }
        tags?.removeGeography()
        if tags?.isEmpty == true { tags = nil }
    }

    /// Whether a block of the original's has a maker's note.
    var hasMakerNote: Bool { block?.hasMakerNote ?? false }

    /// Whether there is a block of the original's, which may be too long.
    var hasBlock: Bool { block != nil }

    /// The original's block with its changes.
    ///
    /// - Parameters:
    ///   - size: That of a picture which is upright, and has no thumbnail; nil: of the same picture.
    ///   - limit: How long it may be.
    /// - Returns: nil where there is none that is whole, or it is too long.
    func wholeBlock(_ size: PixelSize?, limit: Int) -> [UInt8]? {
        guard var block else { return nil }
        if let size { block.describe(width: size.width, height: size.height) }
        if let exifChanges, !block.apply(exifChanges) || !says(block) { return nil }
        return block.isWhole && block.bytes.count <= limit ? block.bytes : nil
    }

    /// A block that is built of the tags: the longest values are left out where it would be too long.
    func builtBlock(_ size: PixelSize, limit: Int) -> [UInt8]? {
        guard let tags = tags?.resized(width: size.width, height: size.height) else { return nil }
        return [limit, 4096, 256].lazy.map { tags.withoutValues(longerThan: $0).block }
            .first { $0.count <= limit }
    }

    /// Whether a block reads as it was to be changed.
    private func says(_ block: ExifBlock) -> Bool {
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
        case .set(let place): if facts.location?.isNear(place) != true { return false }
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
