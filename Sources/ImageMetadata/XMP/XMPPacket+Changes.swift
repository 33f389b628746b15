// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension XMPPacket {
    /// Returns a packet with changed properties.
    ///
    /// - Parameters:
    ///   - packet: The current packet; `nil` if the file has no XMP.
    ///   - changes: The values that differ from those of the file.
    ///   - addsMissing: Whether to add dates and a location if the packet has none, as in a sidecar. In a picture, they
    ///     are stored elsewhere.
    /// - Returns: The packet, or `nil` if it would be empty. A malformed or contradictory packet is replaced with a new
    ///   one.
    static func changing(
        _ packet: XMPPacket?, _ changes: MetadataChanges, addsMissing: Bool = false
    ) -> XMPPacket? {
        if let changed = packet?.changed(by: changes, addsMissing: addsMissing) { return changed }
        guard var editor = XMPEditor(empty) else { return nil }
        editor.apply(changes, addsMissing: addsMissing)
        let new = editor.packet
        if new.text != empty.text { return new }
        // A malformed packet may contain values that must be removed.
        return packet.flatMap { $0.isConsistent(with: changes) ? $0 : nil }
    }

    /// Returns the packet with changed properties; `nil` if it is malformed or would contradict the changes.
    func changed(by changes: MetadataChanges, addsMissing: Bool) -> XMPPacket? {
        for depth in [XMPEditor.Depth.own, .any] {
            guard var editor = XMPEditor(self, depth) else { continue }
            editor.apply(changes, addsMissing: addsMissing)
            let changed = editor.packet
            if changed.isConsistent(with: changes) { return changed }
        }
        return nil
    }

    /// A packet without properties.
    static let empty = XMPPacket(
        Array(
            """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""/>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>
            """.utf8))

    /// Whether the packet does not contradict the changes when it is read again.
    private func isConsistent(with changes: MetadataChanges) -> Bool {
        switch changes.captureDate {
        case nil: break
        case .set(let date):
            if let found = dateTimeOriginal, found.text != date.text { return false }
            if let found = contentDate, found.text != date.text { return false }
        case .remove: if captureDate != nil { return false }
        }
        switch changes.location {
        case nil: break
        case .set(let location):
            if let found = self.location, !found.isNear(location) { return false }
        case .remove: if location != nil { return false }
        }
        switch changes.rating {
        case nil: break
        case .set(let stars): if rating != stars { return false }
        case .remove: if rating != nil { return false }
        }
        guard let keywords = changes.keywords else { return true }
        // Keywords that the library ignores may be written differently.
        return allItems("dc:subject").compactMap(PhotoMetadata.text)
            == KeywordPath.allNames(of: keywords).compactMap(PhotoMetadata.text)
    }
}

extension XMPEditor {
    /// Applies the changes to all properties that hold the values.
    fileprivate mutating func apply(_ changes: MetadataChanges, addsMissing: Bool) {
        if let change = changes.captureDate { setDate(change, addsMissing: addsMissing) }
        if let change = changes.location { setLocation(change, addsMissing: addsMissing) }
        if let change = changes.rating { setRating(change) }
        if let keywords = changes.keywords { setKeywords(keywords) }
        if let change = changes.title { setLocalized("dc:title", change) }
        if let change = changes.descriptionText {
            if has("tiff:ImageDescription") { setLocalized("tiff:ImageDescription", change) }
            setLocalized("dc:description", change)
        }
        if let change = changes.creator { setCreator(change) }
        if let change = changes.copyright { setCopyright(change) }
        if let change = changes.label { setLabel(change) }
    }

    private mutating func setCreator(_ change: MetadataChanges.Change<String>) {
        let hasArtist = has("tiff:Artist")
        remove("dc:creator", "tiff:Artist")
        guard case .set(let text) = change else { return }
        let names = PhotoMetadata.creators(text).map { XMPValue.Item(text: $0) }
        // A list must not be empty.
        if names.isEmpty { return }
        set("dc:creator", to: .list(.sequence, names))
        if hasArtist { set("tiff:Artist", to: .text(text)) }
    }

    private mutating func setCopyright(_ change: MetadataChanges.Change<String>) {
        if has("tiff:Copyright") { setLocalized("tiff:Copyright", change) }
        setLocalized("dc:rights", change)
    }

    private mutating func setLabel(_ change: MetadataChanges.Change<String>) {
        // darktable and digiKam read their own properties, which must not contradict the label.
        let (list, number) = ("darktable:colorlabels", "digiKam:ColorLabel")
        let (hasList, hasNumber) = (has(list), has(number))
        remove("xmp:Label", list, number)
        guard case .set(let label) = change else { return }
        set("xmp:Label", to: .text(label))
        if hasList, let color = XMPPacket.colors.firstIndex(of: label) {
            set(list, to: .list(.sequence, [XMPValue.Item(text: "\(color)")]))
        }
        if hasNumber, let color = Self.digiKamColors[label] {
            set(number, to: .text("\(color)"))
        }
    }

    /// The numbers of `digiKam:ColorLabel`. Other programs call magenta purple.
    private static let digiKamColors = [
        "Red": 1, "Orange": 2, "Yellow": 3, "Green": 4, "Blue": 5, "Magenta": 6, "Purple": 6,
        "Gray": 7, "Black": 8, "White": 9,
    ]

    /// Sets the default language of a text, or removes the text in all languages.
    private mutating func setLocalized(_ name: String, _ change: MetadataChanges.Change<String>) {
        let old = value(name)
        remove(name)
        guard case .set(let text) = change else { return }
        var others: [XMPValue.Item] = []
        if case .list(.choice, let items) = old {
            // Without a default, programs show the first text.
            let replaced = items.first { $0.language == XMPValue.defaultLanguage } ?? items.first
            // The default is often repeated under its own language.
            others = items.filter { $0.language != nil && $0.text != replaced?.text }
        }
        let new = XMPValue.Item(text: text, language: XMPValue.defaultLanguage)
        set(name, to: .list(.choice, [new] + others))
    }

    // MARK: - Date and position

    private static let dates = ["exif:DateTimeOriginal", "photoshop:DateCreated"]
    /// The dates of digitisation, which cameras set to the capture date.
    private static let digitizationDates = ["xmp:CreateDate", "exif:DateTimeDigitized"]

    private mutating func setDate(
        _ change: MetadataChanges.Change<CaptureDate>, addsMissing: Bool
    ) {
        // The GPS date belongs to the old date.
        remove("exif:GPSTimeStamp", "exif:GPSDateStamp")
        guard case .set(let date) = change else {
            return (Self.dates + Self.digitizationDates).forEach { remove($0) }
        }
        let old = Self.dates.compactMap { day(of: $0) }.first
        for name in Self.dates where addsMissing || has(name) {
            set(name, to: .text(date.text))
        }
        for name in Self.digitizationDates where has(name) && (old == nil || day(of: name) == old) {
            set(name, to: .text(date.text))
        }
    }

    /// Returns a date with its time in seconds, without fraction and zone.
    private func day(of name: String) -> String? {
        guard case .text(let text) = value(name) else { return nil }
        return CaptureDateParser.parse(text).map { String($0.text.prefix(19)) }
    }

    /// The properties of a single place.
    private static let locationProperties = [
        "GPSLatitude", "GPSLongitude", "GPSAltitude", "GPSAltitudeRef", "GPSSatellites",
        "GPSStatus", "GPSMeasureMode", "GPSDOP", "GPSMapDatum", "GPSDestLatitude",
        "GPSDestLongitude", "GPSDestBearing", "GPSDestBearingRef", "GPSDestDistance",
        "GPSDestDistanceRef", "GPSProcessingMethod", "GPSAreaInformation",
        "GPSHPositioningError",
    ]

    private mutating func setLocation(
        _ change: MetadataChanges.Change<Location>, addsMissing: Bool
    ) {
        let hasLocation = addsMissing || has("exif:GPSLatitude") || has("exif:GPSLongitude")
        for name in Self.locationProperties { remove("exif:\(name)") }
        guard case .set(let location) = change, hasLocation else { return }
        set("exif:GPSLatitude", to: .text(FormattedCoordinate.latitude(location).xmp))
        set("exif:GPSLongitude", to: .text(FormattedCoordinate.longitude(location).xmp))
    }

    // MARK: - Rating and keywords

    private mutating func setRating(_ change: MetadataChanges.Change<Int>) {
        let percent = "MicrosoftPhoto:Rating"
        let hasPercent = has(percent)
        remove("xmp:Rating", percent)
        guard case .set(let stars) = change else { return }
        set("xmp:Rating", to: .text("\(stars)"))
        if hasPercent, stars >= 0 { set(percent, to: .text("\(RatingPercentage.of(stars))")) }
    }

    /// The keyword lists with hierarchies. The first two are added if a keyword has a hierarchy, and the others are only
    /// updated.
    private static let trees:
        [(name: String, separator: Unicode.Scalar, kind: XMPValue.Kind, isMain: Bool)] = [
            ("lr:hierarchicalSubject", "|", .bag, true),
            ("digiKam:TagsList", "/", .sequence, true),
            ("MicrosoftPhoto:LastKeywordXMP", "/", .bag, false),
            ("MicrosoftPhoto:LastKeywordIPTC", "/", .bag, false),
            ("mediapro:CatalogSets", "|", .bag, false),
        ]

    private mutating func setKeywords(_ keywords: [String]) {
        let paths = keywords.map { KeywordPath($0) }
        let isNested = paths.contains(where: \.isNested)
        let names = KeywordPath.allNames(of: keywords)
        let plain = Set(names)
        for tree in Self.trees where has(tree.name) || isNested && tree.isMain {
            // A name with the separator is also in dc:subject, so it is usually read as one level. A path that would
            // be read differently is omitted.
            let items = paths.compactMap { path in
                let item = path.names.joined(separator: String(tree.separator))
                let read = XMPPacket.path(item, separator: tree.separator, besides: plain)
                return read == path ? item : nil
            }
            remove(tree.name)
            if items.isEmpty { continue }
            set(tree.name, to: .list(tree.kind, items.map { XMPValue.Item(text: $0) }))
        }
        // Other lists would contradict the new one.
        remove("dc:subject", "acdsee:keywords", "mwg-kw:Keywords", "pdf:Keywords")
        if !names.isEmpty { set("dc:subject", to: .bag(names)) }
    }
}
