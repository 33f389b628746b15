// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The facts in EXIF about the capture of a photo.
package struct ExifFacts {
    private let reader: TIFFReader
    private let main: TIFFReader.Directory
    private let exif: TIFFReader.Directory?
    private let gps: TIFFReader.Directory?

    /// Reads the directories. Returns `nil` if there is no first directory.
    package init?(_ reader: TIFFReader) {
        guard let main = reader.first else { return nil }
        self.reader = reader
        self.main = main
        exif = reader.directories(ExifTag.exifDirectory, in: main).first
        gps = reader.directories(ExifTag.gpsDirectory, in: main).first
    }

    /// The orientation, 1...8; `nil` if it is missing or invalid.
    package var orientation: Int? {
        reader.integers(ExifTag.orientation, in: main)?.first.flatMap {
            (1...8).contains($0) ? $0 : nil
        }
    }

    /// DateTimeOriginal with its fraction of a second and offset from UTC.
    var dateTimeOriginal: CaptureDate? {
        date(
            ExifTag.dateTimeOriginal, fraction: ExifTag.subSecTimeOriginal,
            offset: ExifTag.offsetTimeOriginal)
    }

    /// DateTimeDigitized with its fraction of a second and offset from UTC.
    var dateTimeDigitized: CaptureDate? {
        date(
            ExifTag.dateTimeDigitized, fraction: ExifTag.subSecTimeDigitized,
            offset: ExifTag.offsetTimeDigitized)
    }

    /// The date and time of the GPS, in UTC.
    var gpsDate: CaptureDate? {
        guard let gps else { return nil }
        return CaptureDateParser.parse(
            gpsDay: reader.text(GPSTag.dateStamp, in: gps),
            time: reader.rationals(GPSTag.timeStamp, in: gps))
    }

    /// The location; `nil` if it is incomplete.
    package var location: Location? {
        guard
            let latitude = angle(
                GPSTag.latitude, reference: GPSTag.latitudeRef, positive: "N", negative: "S"),
            let longitude = angle(
                GPSTag.longitude, reference: GPSTag.longitudeRef, positive: "E", negative: "W")
        else { return nil }
        return Location(latitude: latitude, longitude: longitude)
    }

    /// The user comment, without the prefix of its character set.
    var userComment: String? {
        guard let raw = first({ reader.raw(ExifTag.userComment, in: $0) }), raw.count > 8 else {
            return nil
        }
        return String(decoding: raw.dropFirst(8).filter { $0 != 0 }, as: UTF8.self)
    }

    /// The maker of the camera.
    var make: String? { reader.text(ExifTag.make, in: main) }

    /// The model of the camera.
    var model: String? { reader.text(ExifTag.model, in: main) }

    /// The model of the lens.
    var lensModel: String? { first { reader.text(ExifTag.lensModel, in: $0) } }

    /// Artist, the creator of the picture.
    var artist: String? { reader.text(ExifTag.artist, in: main) }

    /// Copyright.
    var copyright: String? { reader.text(ExifTag.copyright, in: main) }

    /// ImageDescription, a description of the picture.
    var imageDescription: String? { reader.text(ExifTag.imageDescription, in: main) }

    /// The title in the tag that Windows defines.
    var windowsTitle: String? { windowsText(ExifTag.xpTitle) }

    /// The comment in the tag that Windows defines.
    var windowsComment: String? { windowsText(ExifTag.xpComment) }

    /// The exposure time in seconds, greater than 0.
    var exposureTime: Double? {
        first {
            reader.rationals(ExifTag.exposureTime, in: $0)?.first.flatMap { $0 > 0 ? $0 : nil }
        }
    }

    /// The camera settings (EXIF 2.32, 4.6.5).
    var settings: CameraSettings {
        CameraSettings(
            focalLength: rational(ExifTag.focalLength),
            focalLengthIn35mmFilm: integer(ExifTag.focalLengthIn35mmFilm).map(Double.init),
            aperture: rational(ExifTag.fNumber),
            isoSpeed: isoSpeed, exposureBias: rational(ExifTag.exposureBias),
            flash: integer(ExifTag.flash),
            subjectDistance: rational(ExifTag.subjectDistance),
            whiteBalance: integer(ExifTag.whiteBalance))
    }

    /// PhotographicSensitivity. If it has the maximum value of 16 bits, one of three longer tags contains the value.
    /// SensitivityType names this tag, but usually only one of them is present.
    private var isoSpeed: Double? {
        guard let speed = integer(ExifTag.photographicSensitivity), speed > 0 else { return nil }
        guard speed == 0xFFFF else { return Double(speed) }
        let longer = [
            ExifTag.standardOutputSensitivity, ExifTag.recommendedExposureIndex, ExifTag.isoSpeed,
        ].lazy.compactMap(integer).first { $0 > 0 }
        return Double(longer ?? speed)
    }

    private func rational(_ tag: Int) -> Double? {
        first { reader.rationals(tag, in: $0)?.first }
    }

    private func integer(_ tag: Int) -> Int? { first { reader.integers(tag, in: $0)?.first } }

    /// The star rating in the tag that Windows defines.
    var rating: Int? { first { reader.integers(ExifTag.rating, in: $0)?.first } }

    /// The star rating, derived from the percentage that Windows writes with it.
    var percentageRating: Int? {
        first { reader.integers(ExifTag.ratingPercent, in: $0)?.first }
            .flatMap(RatingPercentage.stars)
    }

    /// The kind of processing in the camera: 0 and 1, and values defined by Apple.
    var customRendered: Int? { first { reader.integers(ExifTag.customRendered, in: $0)?.first } }

    /// The maker note of Apple cameras; `nil` if the note is from another maker.
    package var appleNote: AppleNote? {
        exif.flatMap { reader.raw(ExifTag.makerNote, in: $0) }.flatMap(AppleNote.init)
    }

    /// Returns the value of the first directory that contains it. Some programs write tags of the EXIF directory into
    /// the main one.
    private func first<Value>(_ value: (TIFFReader.Directory) -> Value?) -> Value? {
        [exif, main].lazy.compactMap(\.self).compactMap(value).first
    }

    /// Reads a text in UTF-16, which is little-endian regardless of the byte order of the file.
    private func windowsText(_ tag: Int) -> String? {
        guard let raw = reader.raw(tag, in: main) else { return nil }
        let units = stride(from: 0, to: raw.count - 1, by: 2)
            .map { UInt16(raw[$0]) | UInt16(raw[$0 + 1]) << 8 }
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }

    private func date(_ tag: Int, fraction: Int, offset: Int) -> CaptureDate? {
        first { directory in
            CaptureDateParser.parse(
                reader.text(tag, in: directory), fraction: reader.text(fraction, in: directory),
                offset: reader.text(offset, in: directory))
        }
    }

    /// Reads degrees, minutes and seconds. The hemisphere is required.
    private func angle(
        _ tag: Int, reference: Int, positive: String, negative: String
    ) -> Double? {
        guard let gps, let parts = reader.rationals(tag, in: gps), parts.count <= 3,
            let hemisphere = reader.text(reference, in: gps)?.prefix(1).uppercased(),
            hemisphere == positive || hemisphere == negative
        else { return nil }
        let degrees = zip(parts, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
        return hemisphere == negative ? -degrees : degrees
    }
}
