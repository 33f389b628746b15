// SPDX-License-Identifier: Apache-2.0

/// How a camera was set when it took a photograph, as EXIF 2.32 says it; nil where the file does not.
///
/// Whatever it is made of, or decoded from, keeps to its bounds: what is outside counts as none.
public struct CameraSettings: Codable, Hashable, Sendable {
    /// The focal length in millimetres; more than 0.
    public let focalLength: Double?
    /// The focal length of the same angle of view on 35 mm film, in millimetres; more than 0.
    public let focalLengthIn35mmFilm: Double?
    /// The f-number; more than 0.
    public let aperture: Double?
    /// The sensitivity by ISO 12232; more than 0.
    public let isoSpeed: Double?
    /// The exposure compensation in stops, -100...100.
    public let exposureBias: Double?
    /// EXIF's flash byte, 0...255: bit 0, it fired; bits 1 and 2, returned light; bits 3 and 4, its mode; bit 5,
    /// there is none; bit 6, it reduces red eyes.
    public let flash: Int?
    /// The distance of the subject in metres, more than 0; ``infiniteDistance`` for infinity.
    public let subjectDistance: Double?
    /// Whether the white balance was set by hand: 0 automatic, 1 manual.
    public let whiteBalance: Int?

    /// Infinity, as EXIF writes it.
    public static let infiniteDistance = Double(UInt32.max)

    /// Makes settings; every argument is the property of its name.
    public init(
        focalLength: Double? = nil, focalLengthIn35mmFilm: Double? = nil, aperture: Double? = nil,
        isoSpeed: Double? = nil, exposureBias: Double? = nil, flash: Int? = nil,
        subjectDistance: Double? = nil, whiteBalance: Int? = nil
    ) {
        func positive(_ value: Double?) -> Double? {
            value.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        }
        self.focalLength = positive(focalLength)
        self.focalLengthIn35mmFilm = positive(focalLengthIn35mmFilm)
        self.aperture = positive(aperture)
        self.isoSpeed = positive(isoSpeed)
        self.exposureBias = exposureBias.flatMap { (-100...100).contains($0) ? $0 : nil }
        self.flash = flash.flatMap { (0...255).contains($0) ? $0 : nil }
        self.subjectDistance = positive(subjectDistance)
        self.whiteBalance = whiteBalance.flatMap { (0...1).contains($0) ? $0 : nil }
    }

    /// Decodes settings.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Double? {
            try values.decodeIfPresent(Double.self, forKey: key)
        }
        self.init(
            focalLength: try number(.focalLength),
            focalLengthIn35mmFilm: try number(.focalLengthIn35mmFilm),
            aperture: try number(.aperture), isoSpeed: try number(.isoSpeed),
            exposureBias: try number(.exposureBias),
            flash: try values.decodeIfPresent(Int.self, forKey: .flash),
            subjectDistance: try number(.subjectDistance),
            whiteBalance: try values.decodeIfPresent(Int.self, forKey: .whiteBalance))
    }
}
