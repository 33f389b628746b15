// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Recipes of a `PhotoFilter` as JSON objects.
extension PhotoFilter {
    /// Reads a recipe; what it does not say has the value of a new edit.
    init(_ adjustment: AdjustmentData) throws {
        guard adjustment.formatIdentifier == Self.formatIdentifier,
            Self.readableFormatVersions.contains(adjustment.formatVersion)
        else {
            throw EditingExtensionError(
                code: .badAdjustment,
                message: "the recipe is \(adjustment.formatIdentifier) "
                    + "\(adjustment.formatVersion), which \(Self.identifier) cannot read")
        }
        do {
            let values = try JSONDecoder().decode(
                [String: ParameterValue].self, from: adjustment.data)
            self = try Self().setting(values)
        } catch {
            throw EditingExtensionError(
                code: .badAdjustment, message: "the recipe cannot be read: \(error)")
        }
    }

    /// The recipe in the form that is stored: the same bytes for the same values.
    func adjustmentData() throws -> AdjustmentData {
        AdjustmentData(
            formatIdentifier: Self.formatIdentifier, formatVersion: Self.formatVersion,
            data: try JSON.encode(self))
    }

    /// All stored properties by name.
    func parameters() throws -> [String: ParameterValue] {
        try JSONDecoder().decode([String: ParameterValue].self, from: JSON.encode(self))
    }

    /// The recipe with some of its properties changed.
    func setting(_ values: [String: ParameterValue]) throws -> Self {
        let all = try parameters().merging(values) { _, new in new }
        do {
            return try JSONDecoder().decode(Self.self, from: JSON.encode(all))
        } catch let error as DecodingError {
            throw EditingExtensionError(code: .badParameter, message: Self.text(error))
        }
    }

    private static func text(_ error: DecodingError) -> String {
        let (context, problem): (DecodingError.Context, String) =
            switch error {
            case .typeMismatch(let type, let context): (context, "is not of type \(type)")
            case .valueNotFound(let type, let context): (context, "is not of type \(type)")
            case .keyNotFound(let key, let context): (context, "lacks \(key.stringValue)")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (.init(codingPath: [], debugDescription: ""), "cannot be read")
            }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? problem : "\(path) \(problem)"
    }
}

/// JSON whose bytes depend on the values only.
enum JSON {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}
