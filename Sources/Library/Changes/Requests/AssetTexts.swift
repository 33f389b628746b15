// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// What people write about a photograph beside its keywords.
struct AssetTexts: Sendable {
    var title: String?
    var descriptionText: String?
    var label: String?
    var rating: Int?

    /// Throws where one of them is none that there can be.
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

/// What is to become of them; nil for what stays.
struct AssetTextChange: Sendable {
    var title: String??
    var descriptionText: String??
    var label: String??
    var rating: Int??

    /// What is set, to be checked.
    var texts: AssetTexts {
        AssetTexts(
            title: title ?? nil, descriptionText: descriptionText ?? nil, label: label ?? nil,
            rating: rating ?? nil)
    }

    /// The columns that are set.
    var columns: [String: (any DatabaseValueConvertible)?] {
        var columns: [String: (any DatabaseValueConvertible)?] = [:]
        if let title { columns.updateValue(title, forKey: "title") }
        if let descriptionText { columns.updateValue(descriptionText, forKey: "description") }
        if let label { columns.updateValue(label, forKey: "label") }
        if let rating { columns.updateValue(rating, forKey: "rating") }
        return columns
    }
}

extension AssetChangeRequest {
    /// The title; nil for none.
    ///
    /// `performChanges` throws `invalidRequest` for what ``PhotoMetadata/text(_:)`` would not keep as
    /// it is.
    public var title: String? {
        get { state.withLock { $0.texts.title } ?? original?.title }
        set { set { $0.texts.title = .some(newValue) } }
    }

    /// What the photograph shows, in words; nil for none.
    ///
    /// `performChanges` throws `invalidRequest` for what ``PhotoMetadata/description(_:)`` would not
    /// keep as it is.
    public var descriptionText: String? {
        get { state.withLock { $0.texts.descriptionText } ?? original?.descriptionText }
        set { set { $0.texts.descriptionText = .some(newValue) } }
    }

    /// The colour or word that it is labelled with; nil for none.
    ///
    /// `performChanges` throws `invalidRequest` for what ``PhotoMetadata/text(_:)`` would not keep as
    /// it is.
    public var label: String? {
        get { state.withLock { $0.texts.label } ?? original?.label }
        set { set { $0.texts.label = .some(newValue) } }
    }

    /// The stars, 0...5, or -1 for a rejected picture; nil for none.
    ///
    /// `performChanges` throws `invalidRequest` for other numbers.
    public var rating: Int? {
        get { state.withLock { $0.texts.rating } ?? original?.rating }
        set { set { $0.texts.rating = .some(newValue) } }
    }
}

extension AssetCreationRequest {
    /// The title; the facts of the first resource set it.
    public var title: String? {
        get { state.withLock { $0.texts.title } }
        set { set(.title) { $0.texts.title = newValue } }
    }

    /// What it shows, in words; the facts of the first resource set it.
    public var descriptionText: String? {
        get { state.withLock { $0.texts.descriptionText } }
        set { set(.description) { $0.texts.descriptionText = newValue } }
    }

    /// The colour or word that it is labelled with; the facts of the first resource set it.
    public var label: String? {
        get { state.withLock { $0.texts.label } }
        set { set(.label) { $0.texts.label = newValue } }
    }

    /// The stars, 0...5, or -1 for a rejected picture; the facts of the first resource set it.
    public var rating: Int? {
        get { state.withLock { $0.texts.rating } }
        set { set(.rating) { $0.texts.rating = newValue } }
    }
}
