// SPDX-License-Identifier: Apache-2.0

/// A position on Earth in degrees, WGS 84.
public struct Location: Codable, Hashable, Sendable {
    /// Degrees north of the equator, -90...90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180...180.
    public let longitude: Double

    /// Makes a position, or nil where the values are out of range or are one of the two
    /// that cameras write for "no position": (0, 0) and (-180, -180).
    public init?(latitude: Double, longitude: Double) {
        guard (-90.0...90.0).contains(latitude), (-180.0...180.0).contains(longitude),
            !(latitude == 0 && longitude == 0)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}
