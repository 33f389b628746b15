// SPDX-License-Identifier: Apache-2.0

/// The numbers of the tags in TIFF and EXIF directories, by their names in the specifications.
enum ExifTag {
    // MARK: - The first directory (TIFF 6.0, Exif 3.0 table 4, and common extensions)

    static let processingSoftware = 0x000B
    static let imageWidth = 0x0100
    static let imageLength = 0x0101
    static let bitsPerSample = 0x0102
    static let compression = 0x0103
    static let photometricInterpretation = 0x0106
    static let documentName = 0x010D
    static let imageDescription = 0x010E
    static let make = 0x010F
    static let model = 0x0110
    static let stripOffsets = 0x0111
    static let orientation = 0x0112
    static let samplesPerPixel = 0x0115
    static let stripByteCounts = 0x0117
    static let xResolution = 0x011A
    static let yResolution = 0x011B
    static let planarConfiguration = 0x011C
    static let pageName = 0x011D
    static let resolutionUnit = 0x0128
    static let software = 0x0131
    static let dateTime = 0x0132
    static let artist = 0x013B
    static let hostComputer = 0x013C
    static let tileWidth = 0x0142
    static let extraSamples = 0x0152
    static let sampleFormat = 0x0153
    static let jpegInterchangeFormat = 0x0201
    static let jpegInterchangeFormatLength = 0x0202
    static let yCbCrCoefficients = 0x0211
    static let yCbCrSubSampling = 0x0212
    static let referenceBlackWhite = 0x0214
    static let xmp = 0x02BC
    static let rating = 0x4746
    static let ratingPercent = 0x4749
    static let copyright = 0x8298
    static let iptc = 0x83BB
    static let exifDirectory = 0x8769
    static let gpsDirectory = 0x8825
    static let xpTitle = 0x9C9B
    static let xpComment = 0x9C9C
    static let xpAuthor = 0x9C9D
    static let xpKeywords = 0x9C9E
    static let xpSubject = 0x9C9F
    static let printIM = 0xC4A5

    // MARK: - GeoTIFF 1.1

    static let modelPixelScale = 0x830E
    static let modelTiepoint = 0x8482
    static let modelTransformation = 0x85D8
    static let geoKeyDirectory = 0x87AF
    static let geoDoubleParams = 0x87B0
    static let geoASCIIParams = 0x87B1

    // MARK: - The EXIF directory (Exif 3.0, table 5)

    static let exposureTime = 0x829A
    static let fNumber = 0x829D
    static let exposureProgram = 0x8822
    static let photographicSensitivity = 0x8827
    static let standardOutputSensitivity = 0x8831
    static let recommendedExposureIndex = 0x8832
    static let isoSpeed = 0x8833
    static let exifVersion = 0x9000
    static let dateTimeOriginal = 0x9003
    static let dateTimeDigitized = 0x9004
    static let offsetTimeOriginal = 0x9011
    static let offsetTimeDigitized = 0x9012
    static let exposureBias = 0x9204
    static let subjectDistance = 0x9206
    static let flash = 0x9209
    static let focalLength = 0x920A
    static let subjectArea = 0x9214
    static let makerNote = 0x927C
    static let userComment = 0x9286
    static let subSecTimeOriginal = 0x9291
    static let subSecTimeDigitized = 0x9292
    static let colorSpace = 0xA001
    static let pixelXDimension = 0xA002
    static let pixelYDimension = 0xA003
    static let interoperabilityDirectory = 0xA005
    static let subjectLocation = 0xA214
    static let customRendered = 0xA401
    static let whiteBalance = 0xA403
    static let focalLengthIn35mmFilm = 0xA405
    static let lensModel = 0xA434

    // MARK: - The multi-picture index (CIPA DC-007)

    static let mpEntry = 0xB002
}
