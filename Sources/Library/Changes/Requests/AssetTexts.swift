// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The texts and the rating of an asset.
struct AssetTexts: Sendable {
    var title: String?
    var descriptionText: String?
    var creator: String?
    var copyright: String?
    var label: String?
    var rating: Int?

    /// Throws `invalidRequest` if a text cannot be stored unchanged or the rating is out of range.
    func requireValid(asset identifier: String) throws {
        let lines = [
            ("title", title), ("creator", creator), ("copyright", copyright), ("label", label),
        ]
        for (name, text) in lines {
            guard let text, PhotoMetadata.text(text) != text else { continue }
            throw LibraryError(
                .invalidRequest,
                "a \(name) must have 1 to \(PhotoMetadata.maximumTextLength) bytes without "
                    + "control characters or white space around it",
                asset: identifier)
        }
        if let creator, PhotoMetadata.creator(creator) != creator {
            throw LibraryError(
                .invalidRequest, "the names of several creators must be separated by \"; \"",
                asset: identifier)
        }
        if let descriptionText, PhotoMetadata.description(descriptionText) != descriptionText {
            throw LibraryError(
                .invalidRequest,
                "a description must have 1 to \(PhotoMetadata.maximumDescriptionLength) bytes "
                    + "without white space around it, and no control characters except tabs "
                    + "and line feeds",
                asset: identifier)
        }
        if let rating, !PhotoMetadata.ratings.contains(rating) {
            throw LibraryError(
                .invalidRequest, "a rating must be from 0 to 5, or -1 for a rejected picture",
                asset: identifier)
        }
    }
}
