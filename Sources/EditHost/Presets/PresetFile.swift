// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

/// Reads the JSON of presets, which may come from anybody.
enum PresetFile {
    /// What a version of the format that this program does not know says.
    struct Newer: Error { let version: Int }

    /// What a file says.
    ///
    /// - Parameters:
    ///   - kind: what it should be, with its article, for messages.
    ///   - limits: how much of it is parsed.
    /// - Throws: `HostError` with `noSuchFile`, `fileFailed` or `badInput`, naming the file and what is wrong.
    static func content<Content: Decodable>(
        of path: String, kind: String, within limits: JSONLimits
    ) throws -> Content {
        let file = try OpenFile.readingRegularFile(path, else: .badInput)
        guard let data = try limits.content(of: file) else {
            throw refusal(path, kind, JSONLimits.tooLong(limits.bytes))
        }
        if let excess = limits.excess(of: data) { throw refusal(path, kind, excess) }
        do {
            return try JSONDecoder().decode(Content.self, from: data)
        } catch let error as Newer {
            throw refusal(
                path, kind,
                "it was written by a newer version of edithost (format "
                    + "\(error.version)); update edithost", error)
        } catch let error as DecodingError {
            // A number with a fraction, where there has to be a whole one, is called bad JSON.
            let isNumber =
                if case .dataCorrupted(let context) = error { context.codingPath.isEmpty } else {
                    false
                }
            let isJSON = (try? JSONSerialization.jsonObject(with: data)) != nil
            throw refusal(
                path, kind,
                isNumber && isJSON ? "a number must be a whole number" : error.reason, error)
        }
    }

    static func refusal(
        _ path: String, _ kind: String, _ reason: String, _ cause: (any Error)? = nil
    ) -> HostError {
        HostError(.badInput, "\(path) is not \(kind): \(reason)", underlying: cause)
    }

    /// A key that nobody knows may be a slip, or mean something.
    static func requireKnown<Keys: CodingKey & CaseIterable>(
        _ keys: Keys.Type, in decoder: any Decoder
    ) throws {
        let known = keys.allCases.map(\.stringValue)
        let values = try decoder.container(keyedBy: AnyPresetKey.self)
        guard let unknown = values.allKeys.first(where: { !known.contains($0.stringValue) })
        else { return }
        throw DecodingError.dataCorruptedError(
            forKey: unknown, in: values,
            debugDescription: "is unknown; use one of \(known.joined(separator: ", "))")
    }
}

/// A key of any name.
private struct AnyPresetKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension DecodingError {
    /// What is wrong, with the place.
    fileprivate var reason: String {
        func place(_ path: [any CodingKey]) -> String {
            path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
                .joined(separator: ".").replacingOccurrences(of: ".[", with: "[")
        }
        switch self {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            return "it is not valid JSON"
        case .dataCorrupted(let context):
            return "\(place(context.codingPath)) \(context.debugDescription)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return context.codingPath.isEmpty
                ? "it is not a JSON object"
                : "\(place(context.codingPath)) has a value of the wrong type"
        case .keyNotFound(let key, let context):
            return "\(place(context.codingPath + [key])) is missing"
        @unknown default: return "it is invalid"
        }
    }
}
