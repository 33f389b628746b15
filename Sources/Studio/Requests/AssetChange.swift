// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// The metadata that a request sets. A member that is null removes a text or the rating.
struct AssetChange: Decodable, Sendable {
    private var favorite: Bool?
    private var hidden: Bool?
    private var rating: Int??
    private var title: String??
    private var description: String??
    private var label: String??
    private var addKeywords: [String]
    private var removeKeywords: [String]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case favorite, hidden, rating, title, description, label, addKeywords, removeKeywords
    }

    init(from decoder: any Decoder) throws {
        try UnknownKeys.reject(decoder, known: CodingKeys.allCases.map(\.rawValue))
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys) throws -> Value?? {
            values.contains(key) ? .some(try values.decodeIfPresent(Value.self, forKey: key)) : nil
        }
        favorite = try values.decodeIfPresent(Bool.self, forKey: .favorite)
        hidden = try values.decodeIfPresent(Bool.self, forKey: .hidden)
        rating = try value(.rating)
        title = try value(.title)
        description = try value(.description)
        label = try value(.label)
        addKeywords = try values.decodeIfPresent([String].self, forKey: .addKeywords) ?? []
        removeKeywords = try values.decodeIfPresent([String].self, forKey: .removeKeywords) ?? []
    }

    /// Applies the change to a request, inside a change block.
    ///
    /// - Throws: `LibraryError`.
    func apply(to request: AssetChangeRequest) throws {
        if let favorite { request.isFavorite = favorite }
        if let hidden { request.isHidden = hidden }
        if let rating { request.rating = rating }
        if let title { request.title = title }
        if let description { request.descriptionText = description }
        if let label { request.label = label }
        for keyword in removeKeywords { try request.removeKeyword(keyword) }
        for keyword in addKeywords { try request.addKeyword(keyword) }
    }
}
