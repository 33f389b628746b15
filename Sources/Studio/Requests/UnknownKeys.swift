// SPDX-License-Identifier: Apache-2.0

/// Rejects unknown members of a body, which are usually misspelt.
enum UnknownKeys {
    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// - Throws: `DecodingError` if the object has another member than the known ones.
    static func reject(_ decoder: any Decoder, known: [String]) throws {
        let values = try decoder.container(keyedBy: AnyKey.self)
        guard let key = values.allKeys.first(where: { !known.contains($0.stringValue) }) else {
            return
        }
        throw DecodingError.dataCorruptedError(
            forKey: key, in: values,
            debugDescription: "is unknown; use one of \(known.joined(separator: ", "))")
    }
}
