// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// The texts and rating of an asset, without its keywords.
struct AssetTexts: Sendable {
    var title: String?
    var descriptionText: String?
    var label: String?
    var rating: Int?

    /// Throws `invalidRequest` if a text cannot be stored unchanged or the rating is out of range.
    func requireValid(asset identifier: String) throws {
        for (name, text) in [("title", title), ("label", label)] {
            guard let text, PhotoMetadata.text(text) != text else { continue }
            throw LibraryError(
                .invalidRequest,
                "a \(name) must have 1 to \(PhotoMetadata.maximumTextLength) bytes without "
                    + "control characters or white space around it",
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

extension AssetChangeRequest {
    /// The title; nil if there is none.
    ///
    /// `performChanges` throws `invalidRequest` if ``PhotoMetadata/text(_:)`` would not keep the
    /// title unchanged.
    public var title: String? {
        get { state.withLock { $0.texts.title } ?? original?.title }
        set { set { $0.texts.title = .some(newValue) } }
    }

    /// A textual description of the photograph; nil if there is none.
    ///
    /// `performChanges` throws `invalidRequest` if ``PhotoMetadata/description(_:)`` would not keep
    /// the text unchanged.
    public var descriptionText: String? {
        get { state.withLock { $0.texts.descriptionText } ?? original?.descriptionText }
        set { set { $0.texts.descriptionText = .some(newValue) } }
    }

    /// The label, a colour or word; nil if there is none.
    ///
    /// `performChanges` throws `invalidRequest` if ``PhotoMetadata/text(_:)`` would not keep the
    /// label unchanged.
    public var label: String? {
        get { state.withLock { $0.texts.label } ?? original?.label }
        set { set { $0.texts.label = .some(newValue) } }
    }

    /// The rating: 0 to 5 stars, or -1 for a rejected picture; nil if there is none.
    ///
    /// `performChanges` throws `invalidRequest` for other numbers.
    public var rating: Int? {
        get { state.withLock { $0.texts.rating } ?? original?.rating }
        set { set { $0.texts.rating = .some(newValue) } }
    }
}

extension AssetCreationRequest {
    /// The title. Set by the facts of the first resource.
    public var title: String? {
        get { state.withLock { $0.texts.title } }
        set { set(.title) { $0.texts.title = newValue } }
    }

    /// A textual description. Set by the facts of the first resource.
    public var descriptionText: String? {
        get { state.withLock { $0.texts.descriptionText } }
        set { set(.description) { $0.texts.descriptionText = newValue } }
    }

    /// The label, a colour or word. Set by the facts of the first resource.
    public var label: String? {
        get { state.withLock { $0.texts.label } }
        set { set(.label) { $0.texts.label = newValue } }
    }

    /// The rating: 0 to 5 stars, or -1 for a rejected picture. Set by the facts of the first
    /// resource.
    public var rating: Int? {
        get { state.withLock { $0.texts.rating } }
        set { set(.rating) { $0.texts.rating = newValue } }
    }
}
