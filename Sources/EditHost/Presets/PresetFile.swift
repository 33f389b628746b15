// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation

/// Reads the JSON of untrusted preset files.
enum PresetFile {
    /// The error for a file whose format version is newer than this program.
    struct Newer: Error { let version: Int }

    /// Returns the decoded content of a file.
    ///
    /// - Parameters:
    ///   - kind: The expected kind of file, with its article, for messages.
    ///   - limits: The limits on its size.
    /// - Throws: `HostError` with `noSuchFile`, `fileFailed` or `badInput`. The message names the file and the reason.
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
            throw refusal(path, kind, NewerFormat.message("it", version: error.version), error)
        } catch let error as DecodingError {
            let reason =
                error.isNumberMismatch(in: data) ? DecodingError.numberMismatch : error.reason
            throw refusal(path, kind, reason, error)
        }
    }

    static func refusal(
        _ path: String, _ kind: String, _ reason: String, _ cause: (any Error)? = nil
    ) -> HostError {
        HostError(.badInput, "\(path) is not \(kind): \(reason)", underlying: cause)
    }

    /// Throws an error if there is an unknown key, which may be a typo, or have a meaning in another version.
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

private struct AnyPresetKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension DecodingError {
    /// The reason, with the path of the value.
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
