// SPDX-License-Identifier: Apache-2.0

/// The numbers of the tags in TIFF and EXIF directories, under their names in the specifications.
package enum ExifTag {
    // MARK: - The first directory (TIFF 6.0, Exif 3.0 table 4, and common extensions)

    package static let processingSoftware = 0x000B
    package static let imageWidth = 0x0100
    package static let imageLength = 0x0101
    package static let bitsPerSample = 0x0102
    package static let compression = 0x0103
    package static let photometricInterpretation = 0x0106
    package static let documentName = 0x010D
    package static let imageDescription = 0x010E
    package static let make = 0x010F
    package static let model = 0x0110
    package static let stripOffsets = 0x0111
    package static let orientation = 0x0112
    package static let samplesPerPixel = 0x0115
    package static let stripByteCounts = 0x0117
    package static let xResolution = 0x011A
    package static let yResolution = 0x011B
    package static let planarConfiguration = 0x011C
    package static let pageName = 0x011D
    package static let resolutionUnit = 0x0128
    package static let software = 0x0131
    package static let dateTime = 0x0132
    package static let artist = 0x013B
    package static let hostComputer = 0x013C
    package static let whitePoint = 0x013E
    package static let primaryChromaticities = 0x013F
    package static let tileWidth = 0x0142
    package static let tileOffsets = 0x0144
    package static let tileByteCounts = 0x0145
    package static let subdirectories = 0x014A
    package static let extraSamples = 0x0152
    package static let sampleFormat = 0x0153
    package static let jpegInterchangeFormat = 0x0201
    package static let jpegInterchangeFormatLength = 0x0202
    package static let yCbCrCoefficients = 0x0211
    package static let yCbCrSubSampling = 0x0212
    package static let referenceBlackWhite = 0x0214
    package static let xmp = 0x02BC
    package static let rating = 0x4746
    package static let ratingPercent = 0x4749
    package static let copyright = 0x8298
    package static let iptc = 0x83BB
    package static let exifDirectory = 0x8769
    package static let colorProfile = 0x8773
    package static let gpsDirectory = 0x8825
    package static let xpTitle = 0x9C9B
    package static let xpComment = 0x9C9C
    package static let xpAuthor = 0x9C9D
    package static let xpKeywords = 0x9C9E
    package static let xpSubject = 0x9C9F
    package static let printIM = 0xC4A5

    // MARK: - GeoTIFF 1.1

    package static let modelPixelScale = 0x830E
    package static let modelTiepoint = 0x8482
    package static let modelTransformation = 0x85D8
    package static let geoKeyDirectory = 0x87AF
    package static let geoDoubleParams = 0x87B0
    package static let geoASCIIParams = 0x87B1

    // MARK: - The EXIF directory (Exif 3.0, table 5)

    package static let exposureTime = 0x829A
    package static let fNumber = 0x829D
    package static let exposureProgram = 0x8822
    package static let photographicSensitivity = 0x8827
    package static let standardOutputSensitivity = 0x8831
    package static let recommendedExposureIndex = 0x8832
    package static let isoSpeed = 0x8833
    package static let exifVersion = 0x9000
    package static let dateTimeOriginal = 0x9003
    package static let dateTimeDigitized = 0x9004
    package static let offsetTimeOriginal = 0x9011
    package static let offsetTimeDigitized = 0x9012
    package static let exposureBias = 0x9204
    package static let subjectDistance = 0x9206
    package static let flash = 0x9209
    package static let focalLength = 0x920A
    package static let subjectArea = 0x9214
    package static let makerNote = 0x927C
    package static let userComment = 0x9286
    package static let subSecTimeOriginal = 0x9291
    package static let subSecTimeDigitized = 0x9292
    package static let colorSpace = 0xA001
    package static let pixelXDimension = 0xA002
    package static let pixelYDimension = 0xA003
    package static let interoperabilityDirectory = 0xA005
    package static let subjectLocation = 0xA214
    package static let customRendered = 0xA401
    package static let whiteBalance = 0xA403
    package static let focalLengthIn35mmFilm = 0xA405
    package static let lensModel = 0xA434

    // MARK: - The multi-picture index (CIPA DC-007)

    package static let mpEntry = 0xB002
}
