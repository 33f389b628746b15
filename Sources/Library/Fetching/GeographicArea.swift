// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// An area on Earth between two parallels and two meridians, including its edges.
public struct GeographicArea: Hashable, Sendable {
    /// The latitude of the southern edge, in degrees north.
    public let south: Double
    /// The longitude of the western edge, in degrees east.
    public let west: Double
    /// The latitude of the northern edge, in degrees north.
    public let north: Double
    /// The longitude of the eastern edge, in degrees east. It is less than `west` if the area
    /// crosses the 180th meridian.
    public let east: Double

    /// Creates an area. Returns nil if a latitude is outside -90...90, a longitude is outside
    /// -180...180, or `south` is greater than `north`.
    public init?(south: Double, west: Double, north: Double, east: Double) {
        guard (-90.0...90.0).contains(south), (-90.0...90.0).contains(north), south <= north,
            (-180.0...180.0).contains(west), (-180.0...180.0).contains(east)
        else { return nil }
        (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }
}
