// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

extension XMPPacket {
    // MARK: - Date, rating and place

    /// The capture date in `exif:DateTimeOriginal`.
    var dateTimeOriginal: CaptureDate? { CaptureDateParser.parse(value("exif:DateTimeOriginal")) }

    /// The digitisation date. `xap` is an old name of `xmp`, and `xmp:CreateDate` replaces `exif:DateTimeDigitized`.
    var creationDate: CaptureDate? {
        for property in ["xmp:CreateDate", "xap:CreateDate", "exif:DateTimeDigitized"] {
            if let date = CaptureDateParser.parse(value(property)) { return date }
        }
        return nil
    }

    /// The user-written creation date of the subject, `photoshop:DateCreated`.
    var contentDate: CaptureDate? { CaptureDateParser.parse(value("photoshop:DateCreated")) }

    /// The capture date from the most reliable property.
    package var captureDate: CaptureDate? { dateTimeOriginal ?? contentDate ?? creationDate }

    /// The date of the last change to the metadata, or otherwise to the file. Dates without an offset count as UTC.
    package var changeDate: Date? {
        for name in ["MetadataDate", "ModifyDate"] {
            for property in ["xmp:\(name)", "xap:\(name)"] {
                if let date = CaptureDateParser.parse(value(property)) { return date.date }
            }
        }
        return nil
    }

    /// The star rating, rounded. Without a valid one, it is derived from the percentage that Windows writes.
    var rating: Int? {
        let stars = integer("xmp:Rating") ?? integer("xap:Rating")
        if let stars, PhotoMetadata.ratings.contains(stars) { return stars }
        return integer("MicrosoftPhoto:Rating").flatMap(RatingPercentage.stars)
    }

    /// Returns a number, rounded.
    private func integer(_ property: String) -> Int? {
        value(property).flatMap(Double.init).flatMap { Int(exactly: $0.rounded()) }
    }

    /// The GPS location; `nil` if it is incomplete.
    package var location: Location? {
        guard let latitude = value("exif:GPSLatitude").flatMap(Self.angle),
            let longitude = value("exif:GPSLongitude").flatMap(Self.angle)
        else { return nil }
        return Location(latitude: latitude, longitude: longitude)
    }

    /// Parses `DDD,MM,SSk` or `DDD,MM.mmmk`, in which k is N, S, E or W. Plain degrees are also accepted.
    private static func angle(_ text: String) -> Double? {
        let isNegative = text.hasSuffix("S") || text.hasSuffix("W")
        let hasHemisphere = isNegative || text.hasSuffix("N") || text.hasSuffix("E")
        let parts = (hasHemisphere ? text.dropLast() : text[...]).split(separator: ",")
        let numbers = parts.compactMap { Double($0) }
        guard !numbers.isEmpty, numbers.count == parts.count, numbers.count <= 3,
            numbers.allSatisfy(\.isFinite)
        else { return nil }
        let degrees = zip(numbers, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
        return isNegative ? -degrees : degrees
    }

    // MARK: - Texts

    /// The title, `dc:title`.
    var title: String? { localizedText("dc:title") }

    /// The description, `dc:description`.
    var descriptionText: String? { localizedText("dc:description") }

    /// The creators, `dc:creator`, separated by semicolons.
    var creator: String? {
        PhotoMetadata.joinedCreators(items("dc:creator")) ?? localizedText("dc:creator")
    }

    /// The copyright notice, `dc:rights`.
    var copyright: String? { localizedText("dc:rights") }

    /// The label: a colour or a word that a program defines.
    ///
    /// darktable stores its colours in a list of its own and does not update `xmp:Label`. Its first colour is therefore
    /// used, unless `xmp:Label` is another one in the list or is no colour.
    var label: String? {
        let stated = localizedText("xmp:Label") ?? localizedText("xap:Label")
        let colors = items("darktable:colorlabels").compactMap { number in
            Int(number).flatMap { Self.colors.indices.contains($0) ? Self.colors[$0] : nil }
        }
        guard let first = colors.first else { return stated }
        guard let stated, colors.contains(stated) || !Self.colors.contains(stated) else {
            return first
        }
        return stated
    }

    /// The names that Lightroom gives to the colours of darktable, by their numbers in `darktable:colorlabels`.
    static let colors = ["Red", "Yellow", "Green", "Blue", "Purple"]

    /// The exposure time in seconds, from a fraction or a decimal number.
    var exposureTime: Double? {
        let parts = (value("exif:ExposureTime") ?? "").split(
            separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double(String($0).trimmingBlanks) }
        guard numbers.count == parts.count, numbers.count <= 2, let above = numbers.first else {
            return nil
        }
        let time = numbers.count == 2 ? above / numbers[1] : above
        return time > 0 && time.isFinite ? time : nil
    }

    // MARK: - Media subtypes

    /// The media subtypes declared in the packet. A declared gain map is accepted without checking the file. Videos
    /// are verified by ``MotionVideo``.
    var mediaSubtypes: MediaSubtype {
        var subtypes = auxiliarySubtypes
        if isSpherical { subtypes.insert(.photoPanorama) }
        if isPortrait { subtypes.insert(.photoDepthEffect) }
        if localizedText("exif:UserComment") == Self.screenshot {
            subtypes.insert(.photoScreenshot)
        }
        return subtypes
    }

    /// The media subtypes that an auxiliary picture declares if it is the gain map or the portrait matte of another
    /// picture. A main picture with a gain map may declare it, too.
    var auxiliarySubtypes: MediaSubtype {
        var subtypes = Self.auxiliarySubtypes(localizedText("apdi:AuxiliaryImageType"))
        if value("hdrgm:Version") != nil || value("HDRGainMap:HDRGainMapVersion") != nil {
            subtypes.insert(.photoHDR)
        }
        return subtypes
    }

    /// Returns the subtype of a photo with an auxiliary picture of this type.
    static func auxiliarySubtypes(_ type: String?) -> MediaSubtype {
        switch type {
        case "urn:com:apple:photo:2020:aux:hdrgainmap": .photoHDR
        case "urn:com:apple:photo:2018:aux:portraiteffectsmatte": .photoDepthEffect
        default: []
        }
    }

    /// The user comment that Apple systems write into screenshots.
    static let screenshot = "Screenshot"

    /// Whether the picture is a panorama, according to the properties that Google introduced.
    private var isSpherical: Bool {
        value("GPano:ProjectionType") != nil
            && value("GPano:UsePanoramaViewer")?.lowercased() != "false"
    }

    /// Whether the picture is a portrait with synthetic depth of field, according to Google's property.
    private var isPortrait: Bool {
        ["GCamera:SpecialTypeID", "Camera:SpecialTypeID"].contains { property in
            items(property).contains { $0.hasSuffix(".SpecialType-PORTRAIT") }
        }
    }
}
