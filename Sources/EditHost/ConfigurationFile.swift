// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

/// The user's configuration file, `$XDG_CONFIG_HOME/edithost/config.json`:
///
///     { "budgets": { "default": { "cpuSeconds": 60 },
///                    "org.example.slow": { "memoryBytes": 17179869184 } } }
///
/// A limit that is missing from an extension's entry is taken from `default`. If it is missing there too, it has its
/// built-in value.
struct ConfigurationFile {
    private(set) var budgets = ExtensionBudgets()

    private static let limits = JSONLimits(depth: 8)

    /// Reads the file. A missing file gives the built-in budgets.
    ///
    /// - Throws: `HostError` with `badConfiguration`. The message names the file and the key.
    init(path: String) throws {
        let data: Data?
        do {
            data = try Self.limits.content(of: .readingRegularFile(path))
        } catch let error as HostError where error.code == .noSuchFile {
            return
        } catch {
            throw HostError(
                .badConfiguration, "\(path) cannot be read: \(error)", underlying: error)
        }
        guard let data else { throw Self.refusal(path, JSONLimits.tooLong(Self.limits.bytes)) }
        if let excess = Self.limits.excess(of: data) { throw Self.refusal(path, excess) }
        do {
            budgets = try JSONDecoder().decode(Content.self, from: data).budgets
        } catch let error as DecodingError {
            let reason =
                error.isNumberMismatch(in: data)
                ? DecodingError.numberMismatch : Self.words(for: error)
            throw HostError(.badConfiguration, "\(path): \(reason)", underlying: error)
        }
    }

    private static func refusal(_ path: String, _ reason: String) -> HostError {
        HostError(.badConfiguration, "\(path): \(reason)")
    }

    private static func words(for error: DecodingError) -> String {
        func place(_ context: DecodingError.Context) -> String {
            context.codingPath.map(\.stringValue).joined(separator: ".")
        }
        switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            return "is not valid JSON"
        case .dataCorrupted(let context):
            return "\(place(context)) \(context.debugDescription)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(place(context).isEmpty ? "the content" : place(context)) must be an object"
        case .keyNotFound(let key, _): return "\(key.stringValue) is missing"
        @unknown default: return "is invalid"
        }
    }
}

/// A coding key with any name, used to detect unknown keys.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private func unknown(
    _ key: AnyKey, in values: KeyedDecodingContainer<AnyKey>, known: [String]
) -> DecodingError {
    .dataCorruptedError(
        forKey: key, in: values,
        debugDescription: "is unknown; use one of \(known.joined(separator: ", "))")
}

private struct Content: Decodable {
    var budgets = ExtensionBudgets()

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: AnyKey.self)
        for key in values.allKeys {
            guard key.stringValue == "budgets" else {
                throw unknown(key, in: values, known: ["budgets"])
            }
            try read(values.nestedContainer(keyedBy: AnyKey.self, forKey: key))
        }
    }

    private mutating func read(_ values: KeyedDecodingContainer<AnyKey>) throws {
        if let key = values.allKeys.first(where: { $0.stringValue == "default" }) {
            let entry = try values.nestedContainer(keyedBy: AnyKey.self, forKey: key)
            budgets.standard = try Self.budget(in: entry, from: ExtensionBudget())
        }
        for key in values.allKeys where key.stringValue != "default" {
            let entry = try values.nestedContainer(keyedBy: AnyKey.self, forKey: key)
            budgets.extensions[key.stringValue] = try Self.budget(
                in: entry, from: budgets.standard)
        }
    }

    private static func budget(
        in values: KeyedDecodingContainer<AnyKey>, from base: ExtensionBudget
    ) throws -> ExtensionBudget {
        var budget = base
        for key in values.allKeys {
            guard let part = ExtensionBudget.Part(rawValue: key.stringValue) else {
                let known = ExtensionBudget.Part.allCases.map(\.rawValue)
                throw unknown(key, in: values, known: known)
            }
            guard let value = try? values.decode(Int.self, forKey: key) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: values, debugDescription: "must be a whole number")
            }
            guard part.range.contains(value) else {
                let range = "\(part.range.lowerBound) to \(part.range.upperBound)"
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: values, debugDescription: "must be from \(range)")
            }
            budget.set(part, to: value)
        }
        return budget
    }
}
