// SPDX-License-Identifier: Apache-2.0

/// A WGS 84 position in degrees.
public struct Location: Codable, Hashable, Sendable {
    /// The latitude in degrees, -90...90, positive to the north.
    public let latitude: Double
    /// The longitude in degrees, -180...180, positive to the east.
    public let longitude: Double

    /// Creates a position.
    ///
    /// Returns `nil` if a value is out of range, or if the position is (0, 0) or (-180, -180), which cameras
    /// write for "no position".
    public init?(latitude: Double, longitude: Double) {
        guard (-90.0...90.0).contains(latitude), (-180.0...180.0).contains(longitude),
            !(latitude == 0 && longitude == 0)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}
