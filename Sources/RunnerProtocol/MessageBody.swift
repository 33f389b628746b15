// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Synchronization

/// The body of a message: JSON and, if it has recipes, NUL and the concatenated bytes of the recipes.
///
/// This keeps the JSON short, whatever the size of the recipes. It bounds the work that an untrusted sender can
/// cause: parsing JSON of many small values takes some thirty times its length in memory.
package enum MessageBody {
    /// The maximum length of the JSON in bytes. A photo with a thousand keywords takes a quarter of it.
    package static let maximumText = 2 << 20

    fileprivate static let recipes = CodingUserInfoKey(rawValue: "recipes")

    /// Encodes a message.
    ///
    /// - Throws: `EncodingError`, including if the JSON exceeds ``maximumText``.
    package static func encode(_ message: some Encodable) throws -> Data {
        let recipes = Recipes()
        let encoder = JSONEncoder()
        if let key = Self.recipes { encoder.userInfo[key] = recipes }
        var body = try encoder.encode(message)
        guard body.count <= maximumText else {
            throw EncodingError.invalidValue(
                message,
                EncodingError.Context(
                    codingPath: [], debugDescription: "the message is longer than 2 MiB"))
        }
        recipes.append(to: &body)
        return body
    }

    /// Decodes a message.
    ///
    /// - Throws: `DecodingError`, including if the JSON exceeds ``maximumText``; it is rejected before parsing.
    package static func decode<Message: Decodable>(
        _ type: Message.Type, from body: Data
    ) throws -> Message {
        let start = body.prefix(maximumText + 1)
        let end = start.firstIndex(of: 0) ?? start.endIndex
        guard end - body.startIndex <= maximumText else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [], debugDescription: "the message is longer than 2 MiB"))
        }
        let decoder = JSONDecoder()
        if let key = Self.recipes { decoder.userInfo[key] = Data(body[end...].dropFirst()) }
        return try decoder.decode(type, from: Data(body[..<end]))
    }
}

/// The bytes that follow a message's JSON.
private final class Recipes: Sendable {
    private let bytes = Mutex(Data())

    /// Appends a recipe and returns its offset.
    func add(_ recipe: Data) -> Int {
        bytes.withLock { bytes in
            defer { bytes.append(recipe) }
            return bytes.count
        }
    }

    func append(to body: inout Data) {
        let bytes = bytes.withLock { $0 }
        if bytes.isEmpty { return }
        body.append(0)
        body.append(bytes)
    }
}

/// In a message, the bytes of a recipe follow the JSON, which contains their position. A reply has at most one recipe,
/// because several could refer to the same bytes and would cost far more memory than was received.
extension AdjustmentData: Codable {
    private enum CodingKeys: String, CodingKey {
        case formatIdentifier, formatVersion, start, count
    }

    /// Decodes the result of ``encode(to:)``, from a `MessageBody` only.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let (start, count) = (
            try values.decode(Int.self, forKey: .start), try values.decode(Int.self, forKey: .count)
        )
        let recipes = MessageBody.recipes.flatMap { decoder.userInfo[$0] as? Data } ?? Data()
        guard start >= 0, count >= 0, start <= recipes.count, count <= recipes.count - start else {
            throw DecodingError.dataCorruptedError(
                forKey: .start, in: values, debugDescription: "a recipe is missing from the message"
            )
        }
        self.init(
            formatIdentifier: try values.decode(String.self, forKey: .formatIdentifier),
            formatVersion: try values.decode(String.self, forKey: .formatVersion),
            data: Data(recipes.dropFirst(start).prefix(count)))
    }

    /// Encodes the format and the position of the bytes, into a `MessageBody` only.
    public func encode(to encoder: any Encoder) throws {
        guard let recipes = MessageBody.recipes.flatMap({ encoder.userInfo[$0] as? Recipes }) else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "recipes can be encoded only in messages"))
        }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(formatIdentifier, forKey: .formatIdentifier)
        try values.encode(formatVersion, forKey: .formatVersion)
        try values.encode(recipes.add(data), forKey: .start)
        try values.encode(data.count, forKey: .count)
    }
}
