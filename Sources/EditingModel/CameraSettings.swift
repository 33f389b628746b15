// SPDX-License-Identifier: Apache-2.0

/// The camera settings of a photo as recorded in EXIF 2.32; `nil` for tags that are missing.
///
/// Initialisation and decoding replace out-of-range values with `nil`.
public struct CameraSettings: Codable, Hashable, Sendable {
    /// The focal length in millimetres, greater than 0.
    public let focalLength: Double?
    /// The 35 mm equivalent focal length in millimetres, greater than 0.
    public let focalLengthIn35mmFilm: Double?
    /// The f-number, greater than 0.
    public let aperture: Double?
    /// The ISO 12232 sensitivity, greater than 0.
    public let isoSpeed: Double?
    /// The exposure compensation in stops, -100...100.
    public let exposureBias: Double?
    /// The EXIF flash byte, 0...255.
    ///
    /// Bit 0: the flash fired. Bits 1 and 2: return light. Bits 3 and 4: flash mode. Bit 5: the camera has no
    /// flash. Bit 6: red-eye reduction.
    public let flash: Int?
    /// The subject distance in metres, greater than 0; ``infiniteDistance`` for infinity.
    public let subjectDistance: Double?
    /// The EXIF white balance mode: 0 automatic, 1 manual.
    public let whiteBalance: Int?

    /// The value that EXIF uses for an infinite distance, 0xFFFFFFFF.
    public static let infiniteDistance = Double(UInt32.max)

    /// Creates settings from EXIF values. Out-of-range values become `nil`.
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

    /// Decodes settings. Out-of-range values become `nil`.
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
