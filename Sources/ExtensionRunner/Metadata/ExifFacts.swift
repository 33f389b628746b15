// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What EXIF says about the taking of a photograph.
struct ExifFacts {
    private let reader: TIFFReader
    private let main: TIFFReader.Directory
    private let exif: TIFFReader.Directory?
    private let gps: TIFFReader.Directory?

    /// Nil where there is no first directory.
    init?(_ reader: TIFFReader) {
        guard let main = reader.first else { return nil }
        self.reader = reader
        self.main = main
        exif = reader.directories(0x8769, in: main).first
        gps = reader.directories(0x8825, in: main).first
    }

    /// The orientation, 1...8.
    var orientation: Int? {
        reader.integers(0x0112, in: main)?.first.flatMap { (1...8).contains($0) ? $0 : nil }
    }

    /// DateTimeOriginal, with the decimals and the zone that belong to it.
    var dateTimeOriginal: CaptureDate? { date(0x9003, fraction: 0x9291, offset: 0x9011) }

    /// DateTimeDigitized, likewise.
    var dateTimeDigitized: CaptureDate? { date(0x9004, fraction: 0x9292, offset: 0x9012) }

    /// The satellites' date and time.
    var gpsDate: CaptureDate? {
        guard let gps else { return nil }
        return DateText.parse(
            gpsDay: reader.text(0x1D, in: gps), time: reader.rationals(0x07, in: gps))
    }

    /// The position.
    var location: Location? {
        guard let latitude = angle(0x02, reference: 0x01, positive: "N", negative: "S"),
            let longitude = angle(0x04, reference: 0x03, positive: "E", negative: "W")
        else { return nil }
        return Location(latitude: latitude, longitude: longitude)
    }

    /// The comment, without the mark of its character set.
    var userComment: String? {
        guard let exif, let raw = reader.raw(0x9286, in: exif), raw.count > 8 else { return nil }
        return String(decoding: raw.dropFirst(8).filter { $0 != 0 }, as: UTF8.self)
    }

    /// Who made the camera.
    var make: String? { reader.text(0x010F, in: main) }

    /// The camera.
    var model: String? { reader.text(0x0110, in: main) }

    /// The lens.
    var lensModel: String? { exif.flatMap { reader.text(0xA434, in: $0) } }

    /// The stars, as Windows began to write them.
    var rating: Int? { reader.integers(0x4746, in: main)?.first }

    /// How the camera has made the picture out of what it saw. Beside 0 and 1, values of Apple's.
    var customRendered: Int? { exif.flatMap { reader.integers(0xA401, in: $0)?.first } }

    /// The note of Apple's cameras.
    var appleNote: AppleNote? {
        exif.flatMap { reader.raw(0x927C, in: $0) }.flatMap(AppleNote.init)
    }

    private func date(_ tag: Int, fraction: Int, offset: Int) -> CaptureDate? {
        // Some writers put these into the first directory.
        for directory in [exif, main].compactMap(\.self) {
            let date = DateText.parse(
                reader.text(tag, in: directory), fraction: reader.text(fraction, in: directory),
                offset: reader.text(offset, in: directory))
            if let date { return date }
        }
        return nil
    }

    /// Degrees, minutes and seconds; the hemisphere must be named.
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
