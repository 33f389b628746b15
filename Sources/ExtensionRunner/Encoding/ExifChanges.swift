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
    private let below: TIFFReader.Directory?

    /// - Parameters:
    ///   - changes: The values that differ from those of the file.
    ///   - reader: The EXIF of the file, `nil` if there is none.
    init(_ changes: MetadataChanges, in reader: TIFFReader?) {
        self.reader = reader
        first = reader?.first
        below = first.flatMap { reader?.directories(TIFFTag.exifDirectory, in: $0).first }
        setDate(changes.captureDate)
        setLocation(changes.location)
        setRating(changes.rating)
        setTexts(changes)
        setContentIdentifier(changes)
        if below == nil, !exif.written.isEmpty {
            exif.written.append(TIFFTag(tag: 0x9000, type: 7, count: 4, value: Array("0232".utf8)))
        }
    }

    // MARK: - Dates

    /// The tags of a date, its fraction of a second, and its offset from UTC.
    private typealias DateTags = (date: Int, fraction: Int, offset: Int)
    private static let original: DateTags = (0x9003, 0x9291, 0x9011)
    private static let digitized: DateTags = (0x9004, 0x9292, 0x9012)

    private mutating func setDate(_ change: MetadataChanges.Change<CaptureDate>?) {
        switch change {
        case nil: return
        case .remove:
            for tags in [Self.original, Self.digitized] { removeDate(tags) }
            // Otherwise the GPS date would be used instead.
            gps.removed.formUnion([0x07, 0x1D])
        case .set(let date):
            // The GPS date belongs to the old date.
            gps.removed.formUnion([0x07, 0x1D])
            // Cameras with a single date write it to both tags.
            let (taken, digitized) = (text(Self.original.date), text(Self.digitized.date))
            let isBoth = digitized != nil && (taken == nil || taken == digitized)
            for tags in [Self.original] + (isBoth ? [Self.digitized] : []) {
                setDate(tags, WrittenDate(date))
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

    private mutating func setDate(_ tags: DateTags, _ date: WrittenDate) {
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
        [below, first].lazy.compactMap { $0 }.compactMap { reader?.text(tag, in: $0) }.first
    }

    // MARK: - Location

    /// The tags of a single place: the location, its altitude and accuracy, and the destination.
    private static let places: Set<Int> = Set(1...6).union(8...11).union(0x12...0x1C).union([0x1F])

    private mutating func setLocation(_ change: MetadataChanges.Change<Location>?) {
        guard let change else { return }
        gps.removed.formUnion(Self.places)
        guard case .set(let location) = change else { return }
        let angles = [(1, WrittenAngle.latitude(location)), (3, .longitude(location))]
        for (tag, angle) in angles {
            gps.removed.subtract([tag, tag + 1])
            gps.written.append(TIFFTag(tag, text: angle.hemisphere))
            gps.written.append(TIFFTag(tag + 1, rationals: angle.rationals))
        }
        let isNew = first.map { reader?.directories(TIFFTag.gpsDirectory, in: $0).first == nil }
        if isNew ?? true {
            gps.written.append(TIFFTag(tag: 0, type: 1, count: 4, value: [2, 3, 0, 0]))
        }
    }

    // MARK: - The subject

    /// Updates SubjectArea and SubjectLocation.
    ///
    /// - Parameter placement: The placement of the pixels, `nil` if unknown.
    /// - Returns: False if a tag had to be removed.
    mutating func place(_ placement: PixelPlacement?) -> Bool {
        var isKnown = true
        for tag in [0x9214, 0xA214] {
            guard let below, below.entries[tag] != nil else { continue }
            let old = reader?.integers(tag, in: below)
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
        let old = below.flatMap { reader?.raw(ExifTags.makerNote, in: $0) }
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
                TIFFTag(tag: ExifTags.makerNote, type: 7, count: new.count, value: new))
        }
    }

    // MARK: - Rating and texts

    private mutating func setRating(_ change: MetadataChanges.Change<Int>?) {
        guard let change else { return }
        for (tag, isPercent) in [(0x4746, false), (0x4749, true)] {
            // These unsigned tags cannot express a rejected picture.
            if case .set(let stars) = change, stars >= 0, has(tag) {
                main.written.append(TIFFTag(tag, short: isPercent ? Rating.percent(stars) : stars))
            } else {
                main.removed.insert(tag)
            }
        }
    }

    /// Sets ImageDescription and the Windows tags.
    private mutating func setTexts(_ changes: MetadataChanges) {
        set(0x010E, changes.descriptionText) { TIFFTag($0, text: $1) }
        set(0x9C9B, changes.title, TIFFTag.init(_:windows:))
        set(0x9C9C, changes.descriptionText, TIFFTag.init(_:windows:))
        // Only Windows distinguishes a subject from a description.
        if changes.descriptionText != nil { main.removed.insert(0x9C9F) }
        if let keywords = changes.keywords {
            let text = keywords.joined(separator: ";")
            set(0x9C9E, keywords.isEmpty ? .remove : .set(text), TIFFTag.init(_:windows:))
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

    private func has(_ tag: Int) -> Bool { first?.entries[tag] != nil }
}

/// Star ratings in other units.
enum Rating {
    /// Returns the rating as a percentage, as in Windows.
    static func percent(_ stars: Int) -> Int {
        let steps = [0, 1, 25, 50, 75, 99]
        return steps.indices.contains(stars) ? steps[stars] : 0
    }
}

extension TIFFTag {
    /// Creates a tag with an ASCII or UTF-8 string.
    init(_ tag: Int, text: String) {
        let bytes = Array(text.utf8) + [0]
        self.init(tag: tag, type: 2, count: bytes.count, value: bytes)
    }

    /// Creates a tag with a string in the Windows encoding, UTF-16.
    init(_ tag: Int, windows text: String) {
        let bytes = (Array(text.utf16) + [0]).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        self.init(tag: tag, type: 1, count: bytes.count, value: bytes)
    }

    /// Creates a tag with an integer of two bytes.
    init(_ tag: Int, short value: Int) {
        self.init(tag: tag, type: 3, count: 1, value: TIFFWriter.bytes(value, 2))
    }

    /// Creates a tag with integers of two bytes.
    init(_ tag: Int, shorts values: [Int]) {
        self.init(
            tag: tag, type: 3, count: values.count,
            value: values.flatMap { TIFFWriter.bytes($0, 2) })
    }

    /// Creates a tag with unsigned rationals.
    init(_ tag: Int, rationals: [(above: Int, below: Int)]) {
        self.init(
            tag: tag, type: 5, count: rationals.count,
            value: rationals.flatMap {
                TIFFWriter.bytes($0.above, 4) + TIFFWriter.bytes($0.below, 4)
            })
    }
}
