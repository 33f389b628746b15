// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The changes to the tags of an EXIF block.
struct ExifChanges {
    /// The changes to the tags of one directory.
    struct Directory {
        /// The tags to write.
        var written: [TIFFTag] = []
        /// The tags to remove.
        var removed: Set<Int> = []

        /// Whether the directory is unchanged.
        var isEmpty: Bool { written.isEmpty && removed.isEmpty }
    }

    /// The changes to the first directory.
    private(set) var main = Directory()
    /// The changes to the EXIF directory.
    private(set) var exif = Directory()
    /// The changes to the GPS directory.
    private(set) var gps = Directory()

    /// Whether the block is unchanged.
    var isEmpty: Bool { main.isEmpty && exif.isEmpty && gps.isEmpty }

    /// The reader of the block before the changes.
    private let reader: TIFFReader?
    private let first: TIFFReader.Directory?
    private let exifDirectory: TIFFReader.Directory?

    /// - Parameters:
    ///   - changes: The values that differ from those of the file.
    ///   - reader: The EXIF of the file; `nil` if there is none.
    init(_ changes: MetadataChanges, in reader: TIFFReader?) {
        self.reader = reader
        first = reader?.first
        exifDirectory = first.flatMap { reader?.directories(ExifTag.exifDirectory, in: $0).first }
        setDate(changes.captureDate)
        setLocation(changes.location)
        setRating(changes.rating)
        setTexts(changes)
        setContentIdentifier(changes)
        if exifDirectory == nil, !exif.written.isEmpty {
            exif.written.append(
                TIFFTag(tag: ExifTag.exifVersion, type: 7, count: 4, value: Array("0232".utf8)))
        }
    }

    // MARK: - Dates

    /// The tags of a date, its fraction of a second, and its offset from UTC.
    private typealias DateTags = (date: Int, fraction: Int, offset: Int)
    private static let original: DateTags = (
        ExifTag.dateTimeOriginal, ExifTag.subSecTimeOriginal, ExifTag.offsetTimeOriginal
    )
    private static let digitized: DateTags = (
        ExifTag.dateTimeDigitized, ExifTag.subSecTimeDigitized, ExifTag.offsetTimeDigitized
    )

    private mutating func setDate(_ change: MetadataChanges.Change<CaptureDate>?) {
        switch change {
        case nil: return
        case .remove:
            for tags in [Self.original, Self.digitized] { removeDate(tags) }
            // Otherwise, the GPS date would be used instead.
            gps.removed.formUnion([GPSTag.timeStamp, GPSTag.dateStamp])
        case .set(let date):
            // The GPS date belongs to the old date.
            gps.removed.formUnion([GPSTag.timeStamp, GPSTag.dateStamp])
            // Cameras that have only one date write it to both tags.
            let (taken, digitized) = (text(Self.original.date), text(Self.digitized.date))
            let isBoth = digitized != nil && (taken == nil || taken == digitized)
            for tags in [Self.original] + (isBoth ? [Self.digitized] : []) {
                setDate(tags, FormattedDate(date))
            }
        }
    }

    private mutating func removeDate(_ tags: DateTags) {
        for tag in [tags.date, tags.fraction, tags.offset] {
            exif.removed.insert(tag)
            // Some writers put the tag into the first directory.
            main.removed.insert(tag)
        }
    }

    private mutating func setDate(_ tags: DateTags, _ date: FormattedDate) {
        removeDate(tags)
        let values = [
            (tags.date, date.exif), (tags.fraction, date.fraction), (tags.offset, date.offset),
        ]
        for (tag, value) in values {
            guard let value else { continue }
            exif.removed.remove(tag)
            exif.written.append(TIFFTag(tag, text: value))
        }
    }

    private func text(_ tag: Int) -> String? {
        [exifDirectory, first].lazy.compactMap { $0 }.compactMap { reader?.text(tag, in: $0) }.first
    }

    // MARK: - Location

    /// The tags of a single place: the location, its altitude and accuracy, and the destination.
    private static let locationTags: Set<Int> = Set(GPSTag.latitudeRef...GPSTag.altitude).union(
        GPSTag.satellites...GPSTag.dop
    ).union(GPSTag.mapDatum...GPSTag.areaInformation).union([GPSTag.horizontalPositioningError])

    private mutating func setLocation(_ change: MetadataChanges.Change<Location>?) {
        guard let change else { return }
        gps.removed.formUnion(Self.locationTags)
        guard case .set(let location) = change else { return }
        let angles = [
            (GPSTag.latitude, GPSTag.latitudeRef, FormattedCoordinate.latitude(location)),
            (GPSTag.longitude, GPSTag.longitudeRef, .longitude(location)),
        ]
        for (tag, reference, angle) in angles {
            gps.removed.subtract([tag, reference])
            gps.written.append(TIFFTag(reference, text: angle.hemisphere))
            gps.written.append(TIFFTag(tag, rationals: angle.rationals))
        }
        let isNew = first.map { reader?.directories(ExifTag.gpsDirectory, in: $0).first == nil }
        if isNew ?? true {
            gps.written.append(
                TIFFTag(tag: GPSTag.versionID, type: 1, count: 4, value: [2, 3, 0, 0]))
        }
    }

    // MARK: - The subject

    /// Updates SubjectArea and SubjectLocation.
    ///
    /// - Parameter placement: The placement of the pixels; `nil` if unknown.
    /// - Returns: False if a tag had to be removed.
    mutating func mapAreas(by placement: PixelPlacement?) -> Bool {
        var isKnown = true
        for tag in [ExifTag.subjectArea, ExifTag.subjectLocation] {
            guard let exifDirectory, exifDirectory.entries[tag] != nil else { continue }
            let old = reader?.integers(tag, in: exifDirectory)
            if let new = old.flatMap({ placement?.area($0) }) {
                if new != old { exif.written.append(TIFFTag(tag, shorts: new)) }
            } else {
                exif.removed.insert(tag)
                isKnown = false
            }
        }
        return isKnown
    }

    // MARK: - The maker's note

    /// Sets the identifier in the maker note of the EXIF directory. The rest of an Apple note is kept.
    private mutating func setContentIdentifier(_ changes: MetadataChanges) {
        let old = exifDirectory.flatMap { reader?.raw(ExifTag.makerNote, in: $0) }
        let new: [UInt8]?
        switch changes.contentIdentifier {
        case nil: return
        case .remove: new = old.flatMap { AppleNoteEditor.note($0, contentIdentifier: nil) }
        case .set(let identifier):
            let edited = old.flatMap { AppleNoteEditor.note($0, contentIdentifier: identifier) }
            let isFree = old == nil || changes.replacesMakerNote == true
            new = edited ?? (isFree ? AppleNoteEditor.note(contentIdentifier: identifier) : nil)
        }
        if let new {
            exif.written.append(
                TIFFTag(tag: ExifTag.makerNote, type: 7, count: new.count, value: new))
        }
    }

    // MARK: - Rating and text

    private mutating func setRating(_ change: MetadataChanges.Change<Int>?) {
        guard let change else { return }
        for (tag, isPercent) in [(ExifTag.rating, false), (ExifTag.ratingPercent, true)] {
            // These unsigned tags cannot express a rejected picture.
            if case .set(let stars) = change, stars >= 0, has(tag) {
                main.written.append(
                    TIFFTag(tag, short: isPercent ? RatingPercentage.of(stars) : stars))
            } else {
                main.removed.insert(tag)
            }
        }
    }

    /// Sets ImageDescription, Artist, Copyright and the Windows tags.
    private mutating func setTexts(_ changes: MetadataChanges) {
        setCopyright(ExifTag.artist, changes.creator)
        setCopyright(ExifTag.copyright, changes.copyright)
        set(ExifTag.xpAuthor, changes.creator, TIFFTag.init(_:windows:))
        set(ExifTag.imageDescription, changes.descriptionText) { TIFFTag($0, text: $1) }
        set(ExifTag.xpTitle, changes.title, TIFFTag.init(_:windows:))
        set(ExifTag.xpComment, changes.descriptionText, TIFFTag.init(_:windows:))
        // Only Windows distinguishes a subject from a description.
        if changes.descriptionText != nil { main.removed.insert(ExifTag.xpSubject) }
        if let keywords = changes.keywords {
            let text = KeywordPath.allNames(of: keywords).joined(separator: ";")
            set(
                ExifTag.xpKeywords, keywords.isEmpty ? .remove : .set(text),
                TIFFTag.init(_:windows:))
        }
    }

    private mutating func set(
        _ tag: Int, _ change: MetadataChanges.Change<String>?, _ make: (Int, String) -> TIFFTag
    ) {
        switch change {
        case .set(let text) where has(tag): main.written.append(make(tag, text))
        case nil, .set: return
        case .remove: main.removed.insert(tag)
        }
    }

    /// Sets Artist or Copyright, even if the block has none: many programs read them in no other place.
    private mutating func setCopyright(_ tag: Int, _ change: MetadataChanges.Change<String>?) {
        switch change {
        case .set(let text) where first != nil: main.written.append(TIFFTag(tag, text: text))
        case nil, .set: return
        case .remove: main.removed.insert(tag)
        }
    }

    private func has(_ tag: Int) -> Bool { first?.entries[tag] != nil }
}
