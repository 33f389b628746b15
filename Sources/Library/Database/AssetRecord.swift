// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

extension Asset {
    /// The columns that `init(row:)` reads, by their places.
    static let columns = """
        uuid, media_type, media_subtypes, source_type, pixel_width, pixel_height,
        original_pixel_width, original_pixel_height, creation_date, creation_offset,
        file_date, added_date, modification_date, latitude, longitude, duration,
        is_favorite, is_hidden, burst_identifier, represents_burst, burst_selection_types,
        original_filename, generation, adjustment_format, camera_make, camera_model, lens_model,
        rating, content_identifier
        """

    /// How many columns these are.
    static let columnCount = columns.split(separator: ",").count

    /// Reads a row that selects `columns`.
    init(row: Row) {
        localIdentifier = row[0]
        mediaType = MediaType(rawValue: row[1]) ?? .unknown
        mediaSubtypes = MediaSubtype(rawValue: row[2])
        sourceType = AssetSourceType(rawValue: row[3])
        pixelWidth = row[4]
        pixelHeight = row[5]
        originalPixelWidth = row[6]
        originalPixelHeight = row[7]
        captureDate = (row[8] as Int64?).map {
            CaptureDate(date: Date(microseconds: $0), offset: row[9])
        }
        fileDate = (row[10] as Int64?).map(Date.init(microseconds:))
        addedDate = Date(microseconds: row[11])
        modificationDate = Date(microseconds: row[12])
        location = Self.location(latitude: row[13], longitude: row[14])
        duration = row[15]
        isFavorite = row[16]
        isHidden = row[17]
        burstIdentifier = row[18]
        representsBurst = row[19]
        burstSelectionTypes = AssetBurstSelectionType(rawValue: row[20])
        originalFilename = row[21]
        generation = row[22]
        adjustmentFormatIdentifier = row[23]
        cameraMake = row[24]
        cameraModel = row[25]
        lensModel = row[26]
        rating = row[27]
        contentIdentifier = row[28]
    }

    private static func location(latitude: Double?, longitude: Double?) -> Location? {
        guard let latitude, let longitude else { return nil }
        return Location(latitude: latitude, longitude: longitude)
    }

    /// What stands for an asset that was deleted before its row was read.
    init(removed identifier: String) {
        localIdentifier = identifier
        mediaType = .unknown
        mediaSubtypes = []
        sourceType = []
        (pixelWidth, pixelHeight, originalPixelWidth, originalPixelHeight) = (0, 0, 0, 0)
        captureDate = nil
        fileDate = nil
        addedDate = .distantPast
        modificationDate = .distantPast
        location = nil
        duration = 0
        isFavorite = false
        isHidden = false
        burstIdentifier = nil
        representsBurst = false
        burstSelectionTypes = []
        originalFilename = ""
        generation = -1
        adjustmentFormatIdentifier = nil
        (cameraMake, cameraModel, lensModel, rating) = (nil, nil, nil, nil)
        contentIdentifier = nil
    }
}
