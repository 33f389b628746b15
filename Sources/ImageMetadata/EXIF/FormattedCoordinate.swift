// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A latitude or longitude in the notation of EXIF and XMP.
struct FormattedCoordinate {
    /// The hemisphere: `N`, `S`, `E` or `W`.
    let hemisphere: String
    private let magnitude: Double

    private init(_ degrees: Double, positive: String, negative: String) {
        hemisphere = degrees < 0 ? negative : positive
        magnitude = degrees.magnitude
    }

    /// Returns the latitude of a location.
    static func latitude(_ location: Location) -> FormattedCoordinate {
        FormattedCoordinate(location.latitude, positive: "N", negative: "S")
    }

    /// Returns the longitude of a location.
    static func longitude(_ location: Location) -> FormattedCoordinate {
        FormattedCoordinate(location.longitude, positive: "E", negative: "W")
    }

    /// The degrees, minutes and seconds as rationals, precise to a hundredth of a millimetre on the ground.
    var rationals: [(above: Int, below: Int)] {
        let parts = units(perDegree: 3600 * Self.parts)
        let minutes = parts / (60 * Self.parts)
        return [
            (minutes / 60, 1), (minutes % 60, 1), (parts % (60 * Self.parts), Self.parts),
        ]
    }

    /// The angle in XMP notation, such as `36,6.75N`.
    var xmp: String {
        let unit = 100_000_000
        let parts = units(perDegree: 60 * unit)
        let minutes = parts / unit
        var decimals = String(parts % unit + unit).dropFirst()
        while decimals.count > 1, decimals.hasSuffix("0") { decimals.removeLast() }
        return "\(minutes / 60),\(minutes % 60).\(decimals)\(hemisphere)"
    }

    /// The resolution of the seconds: a millionth.
    private static let parts = 1_000_000

    /// Returns the angle in fractions of a degree. It is at most 180 degrees, so the number cannot overflow.
    private func units(perDegree unit: Int) -> Int {
        Int(exactly: (min(magnitude, 180) * Double(unit)).rounded()) ?? 0
    }
}
