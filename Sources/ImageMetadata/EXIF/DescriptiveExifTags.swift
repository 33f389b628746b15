// SPDX-License-Identifier: Apache-2.0

/// The tags of an EXIF block or TIFF file that describe the photo, without those that describe the storage of the
/// pixels.
package struct DescriptiveExifTags {
    /// The tags of the resolution, which TIFF files contain in any case.
    private var resolution: [TIFFTag] = []
    /// The tags of the first directory: creator, camera, description.
    private(set) var main: [TIFFTag]
    /// The tags of directory 0x8769: exposure and dates.
    private(set) var exif: [TIFFTag]
    /// The tags of directory 0x8825: the location.
    private(set) var gps: [TIFFTag]
    /// The tags of directory 0xA005, below the EXIF directory.
    private var interoperability: [TIFFTag] = []
    /// The maker note, ready to be moved.
    private var note: MovableMakerNote?

    /// Reads the tags. Returns `nil` if there are none.
    package init?(_ reader: TIFFReader) {
        guard let first = reader.first else { return nil }
        let tags = reader.tags(in: first)
        main = tags.filter {
            Self.descriptive.contains($0.tag) || Self.geography.contains($0.tag)
                || Self.chromaticities.contains($0.tag)
        }
        resolution = tags.filter { TIFFMetadata.resolution.contains($0.tag) }
        let directory = reader.directories(ExifTag.exifDirectory, in: first).first
        exif = directory.map(reader.tags) ?? []
        gps = reader.directories(ExifTag.gpsDirectory, in: first).first.map(reader.tags) ?? []
        exif.removeAll { $0.tag == ExifTag.interoperabilityDirectory }
        interoperability =
            directory.flatMap {
                reader.directories(ExifTag.interoperabilityDirectory, in: $0).first
            }
            .map(reader.tags) ?? []
        if let note = exif.first(where: { $0.tag == ExifTag.makerNote }) {
            self.note = directory?.entries[ExifTag.makerNote].flatMap {
                MovableMakerNote(note.value, at: $0.offset)
            }
            if self.note == nil { exif.removeAll { $0.tag == ExifTag.makerNote } }
        }
        if main.isEmpty && exif.isEmpty && gps.isEmpty { return nil }
    }

    /// Returns the tags for a picture of a different size.
    package func resized(width: Int, height: Int) -> DescriptiveExifTags {
        var copy = self
        for (tag, value) in [(ExifTag.pixelXDimension, width), (ExifTag.pixelYDimension, height)] {
            guard let index = exif.firstIndex(where: { $0.tag == tag }) else { continue }
            copy.exif[index] = TIFFTag(tag, long: value)
        }
        return copy
    }

    /// Updates the colour space, if it is present.
    mutating func describe(_ space: ExifColorSpace) {
        if let index = exif.firstIndex(where: { $0.tag == ExifTag.colorSpace }) {
            exif[index] = TIFFTag(ExifTag.colorSpace, short: space.number)
        }
        guard interoperability.contains(where: { $0.tag == ExifColorSpace.index }) else { return }
        interoperability.removeAll { $0.tag == ExifColorSpace.index }
        if let index = space.index {
            interoperability.append(TIFFTag(ExifColorSpace.index, text: index))
        }
    }

    /// Removes the location.
    mutating func removeLocation() {
        gps = []
        removeGeography()
    }

    /// Whether there are GeoTIFF tags, which locate each pixel on the ground.
    var hasGeography: Bool { main.contains { Self.geography.contains($0.tag) } }

    /// Removes the GeoTIFF tags.
    mutating func removeGeography() { main.removeAll { Self.geography.contains($0.tag) } }

    /// The GeoTIFF tags: the pixel scale, tie points, a transformation, and keys with their numbers and strings.
    static let geography: Set<Int> = [
        ExifTag.modelPixelScale, ExifTag.modelTiepoint, ExifTag.modelTransformation,
        ExifTag.geoKeyDirectory, ExifTag.geoDoubleParams, ExifTag.geoASCIIParams,
    ]

    /// WhitePoint and PrimaryChromaticities, which describe the colour space of the pixels.
    static let chromaticities: Set<Int> = [ExifTag.whitePoint, ExifTag.primaryChromaticities]

    /// Whether there are chromaticities.
    var hasChromaticities: Bool { main.contains { Self.chromaticities.contains($0.tag) } }

    /// Removes the chromaticities.
    mutating func removeChromaticities() {
        main.removeAll { Self.chromaticities.contains($0.tag) }
    }

    /// Creates an empty list of tags.
    init() { (main, exif, gps) = ([], [], []) }

    /// A block that contains only the upright orientation.
    package static var upright: DescriptiveExifTags {
        var tags = DescriptiveExifTags()
        tags.main = [TIFFTag(ExifTag.orientation, short: 1)]
        return tags
    }

    /// Whether there is a maker note.
    package var hasMakerNote: Bool { exif.contains { $0.tag == ExifTag.makerNote } }

    /// Whether there are no tags.
    var isEmpty: Bool { main.isEmpty && exif.isEmpty && gps.isEmpty }

    /// Applies changes to the tags.
    mutating func apply(_ changes: ExifChanges) {
        Self.apply(changes.main, to: &main)
        Self.apply(changes.exif, to: &exif)
        if changes.exif.written.contains(where: { $0.tag == ExifTag.makerNote }) { note = nil }
        Self.apply(changes.gps, to: &gps)
    }

    private static func apply(_ changes: ExifChanges.Directory, to tags: inout [TIFFTag]) {
        let replaced = changes.removed.union(changes.written.map(\.tag))
        tags.removeAll { replaced.contains($0.tag) }
        tags += changes.written
    }

    /// The tags of the creator and the copyright only.
    var copyright: DescriptiveExifTags {
        var copy = DescriptiveExifTags()
        copy.main = main.filter { [ExifTag.artist, ExifTag.copyright].contains($0.tag) }
        return copy
    }

    /// Returns the tags without values longer than a number of bytes.
    package func withoutValues(longerThan length: Int) -> DescriptiveExifTags {
        var copy = self
        copy.main.removeAll { $0.value.count > length }
        copy.exif.removeAll { $0.value.count > length }
        copy.gps.removeAll { $0.value.count > length }
        copy.interoperability.removeAll { $0.value.count > length }
        copy.resolution.removeAll { $0.value.count > length }
        return copy
    }

    /// The tags whose values ``withoutValues(longerThan:)`` may drop, except the maker note.
    package var longValues: Set<Int> {
        Set(
            (main + exif + gps + interoperability + resolution)
                .filter { $0.value.count > 256 && $0.tag != ExifTag.makerNote }.map(\.tag))
    }

    /// The serialised block, without the prefix used in JPEG.
    package var block: [UInt8] {
        var writer = TIFFWriter(start: 8)
        let first = writer.directory(entries(in: &writer) + resolution.map { writer.entry($0) })
        return Array("II*\0".utf8) + TIFFWriter.bytes(first, 4) + writer.bytes
    }

    /// Writes all but the first directory, and returns the entries of the first.
    func entries(in writer: inout TIFFWriter) -> [TIFFWriter.Entry] {
        var entries = main.map { writer.entry($0) }
        var exif = exif
        if !exif.isEmpty, !interoperability.isEmpty {
            let offset = writer.directory(interoperability.map { writer.entry($0) })
            exif.append(TIFFTag(ExifTag.interoperabilityDirectory, long: offset))
        }
        for (tag, tags) in [(ExifTag.exifDirectory, exif), (ExifTag.gpsDirectory, gps)]
        where !tags.isEmpty {
            let offset = writer.directory(
                tags.map { writer.entry($0, moving: $0.tag == ExifTag.makerNote ? note : nil) })
            entries.append(writer.entry(TIFFTag(tag, long: offset)))
        }
        return entries
    }

    /// ProcessingSoftware, DocumentName, ImageDescription, Make, Model, PageName, Software, DateTime, Artist,
    /// HostComputer, Rating, RatingPercent, Copyright, the five XP tags of Windows, and PrintIM. Some programs also
    /// write the exposure and its date here: ExposureTime, FNumber, ExposureProgram, PhotographicSensitivity,
    /// DateTimeOriginal, DateTimeDigitized, FocalLength.
    private static let descriptive: Set<Int> = [
        ExifTag.processingSoftware, ExifTag.documentName, ExifTag.imageDescription, ExifTag.make,
        ExifTag.model, ExifTag.pageName, ExifTag.software, ExifTag.dateTime, ExifTag.artist,
        ExifTag.hostComputer, ExifTag.rating,
        ExifTag.ratingPercent, ExifTag.copyright, ExifTag.xpTitle, ExifTag.xpComment,
        ExifTag.xpAuthor, ExifTag.xpKeywords, ExifTag.xpSubject, ExifTag.printIM,
        ExifTag.exposureTime, ExifTag.fNumber, ExifTag.exposureProgram,
        ExifTag.photographicSensitivity, ExifTag.dateTimeOriginal, ExifTag.dateTimeDigitized,
        ExifTag.focalLength,
    ]
}
