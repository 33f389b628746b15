// SPDX-License-Identifier: Apache-2.0

/// The numbers of the tags in a GPS directory (Exif 3.0, table 15).
enum GPSTag {
    static let versionID = 0x00
    static let latitudeRef = 0x01
    static let latitude = 0x02
    static let longitudeRef = 0x03
    static let longitude = 0x04
    static let altitudeRef = 0x05
    static let altitude = 0x06
    static let timeStamp = 0x07
    static let satellites = 0x08
    static let dop = 0x0B
    static let mapDatum = 0x12
    static let areaInformation = 0x1C
    static let dateStamp = 0x1D
    static let horizontalPositioningError = 0x1F
}
