// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

extension Asset {
    /// The columns that `init(row:)` reads, by position.
    static let columns = """
        uuid, media_type, media_subtypes, source_type, pixel_width, pixel_height,
        original_pixel_width, original_pixel_height, creation_date, creation_offset,
        file_date, added_date, modification_date, latitude, longitude, duration,
        is_favorite, is_hidden, burst_identifier, represents_burst, burst_selection_types,
        original_filename, generation, adjustment_format, camera_make, camera_model, lens_model,
        rating, content_identifier, title, description, label, exposure_time,
        trashed_date, original_folder, creator, copyright,
        \(coversMotion)
        """

    /// The expression in SQL for whether the edit of a Live Photo covers its video. NULL for assets
    /// that are no Live Photo or have no edit.
    static let coversMotion = """
        CASE WHEN media_subtypes & \(MediaSubtype.photoLive.rawValue) AND adjustment_format IS NOT NULL
            THEN (SELECT covers_motion FROM state JOIN edit ON edit.id = tip_id
                WHERE state.asset_id = asset.id AND state.position = asset.position) END
        """

    /// The number of columns, and the position of the first one after them.
    static let columnCount = columns.split(separator: ",").count

    /// Creates an asset from a row that selects `columns`.
    ///
    /// - Throws: `LibraryError` with `damaged`.
    init(row: Row) throws {
        localIdentifier = try row.value(0)
        mediaType = try row.value(1)
        mediaSubtypes = try row.value(2)
        sourceType = try row.value(3)
        pixelWidth = try row.value(4, in: StoredValueLimits.pixels)
        pixelHeight = try row.value(5, in: StoredValueLimits.pixels)
        originalPixelWidth = try row.value(6, in: StoredValueLimits.pixels)
        originalPixelHeight = try row.value(7, in: StoredValueLimits.pixels)
        captureDate = try row.captureDate(8, offset: 9)
        fileDate = try row.fileDate(10)
        addedDate = try row.value(11)
        modificationDate = try row.value(12)
        location = try row.location(13, 14)
        duration = try row.value(15, in: StoredValueLimits.seconds)
        isFavorite = try row.value(16)
        isHidden = try row.value(17)
        burstIdentifier = try row.value(18)
        representsBurst = try row.value(19)
        burstSelectionTypes = try row.value(20)
        originalFilename = try row.value(21)
        generation = try row.value(22, in: StoredValueLimits.counts)
        adjustmentFormatIdentifier = try row.value(23)
        cameraMake = try row.value(24)
        cameraModel = try row.value(25)
        lensModel = try row.value(26)
        rating = try row.value(27)
        contentIdentifier = try row.value(28)
        title = try row.value(29)
        descriptionText = try row.value(30)
        label = try row.value(31)
        exposureTime = try row.value(32)
        trashedDate = try row.value(33)
        originalFolder = try row.folder(34)
        // An empty text records a removal.
        let creator = try row.value(35, as: String?.self)
        let copyright = try row.value(36, as: String?.self)
        self.creator = creator == "" ? nil : creator
        self.copyright = copyright == "" ? nil : copyright
        removedTexts = Self.removedTexts(creator: creator, copyright: copyright)
        hidesMotion = try row.value(37, as: Bool?.self) == false
    }

    private static func removedTexts(
        creator: String?, copyright: String?
    ) -> Set<KeptMetadataValue.Field> {
        var removed: Set<KeptMetadataValue.Field> = []
        if creator == "" { removed.insert(.creator) }
        if copyright == "" { removed.insert(.copyright) }
        return removed
    }

    /// Creates a placeholder for an asset that was deleted before its row was read.
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
        (originalFilename, originalFolder) = ("", nil)
        generation = -1
        adjustmentFormatIdentifier = nil
        (cameraMake, cameraModel, lensModel, rating) = (nil, nil, nil, nil)
        contentIdentifier = nil
        (title, descriptionText, label, exposureTime) = (nil, nil, nil, nil)
        (creator, copyright, removedTexts) = (nil, nil, [])
        trashedDate = nil
        hidesMotion = false
    }
}
