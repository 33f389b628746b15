// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetPredicate.DateKey {
    /// The database column of the date.
    var column: String {
        switch self {
        case .creation: "creation_date"
        case .clock: "sort_date"
        case .file: "file_date"
        case .added: "added_date"
        case .modification: "modification_date"
        case .trashed: "trashed_date"
        }
    }
}

extension AssetPredicate.SizeKey {
    /// The database column of the dimension.
    var column: String {
        switch self {
        case .pixelWidth: "pixel_width"
        case .pixelHeight: "pixel_height"
        case .originalPixelWidth: "original_pixel_width"
        case .originalPixelHeight: "original_pixel_height"
        }
    }
}

extension AssetPredicate.TextKey {
    /// The database column of the text, or an expression in SQL for its value.
    var column: String {
        switch self {
        case .localIdentifier: "uuid"
        case .originalFilename: "original_filename"
        case .adjustmentFormatIdentifier: "adjustment_format"
        case .burstIdentifier: "burst_identifier"
        case .cameraMake: "camera_make"
        case .cameraModel: "camera_model"
        case .lensModel: "lens_model"
        case .contentIdentifier: "content_identifier"
        case .title: "title"
        case .description: "description"
        case .creator: "NULLIF(creator, '')"
        case .copyright: "NULLIF(copyright, '')"
        case .label: "label"
        }
    }
}
