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
            self = try Self().merging(JSONDecoder().decode(JSON.self, from: adjustment.data))
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

    /// The stored properties that a parameter can be, by name.
    func parameters() throws -> [String: ParameterValue] {
        try JSONDecoder().decode([String: PossibleParameter].self, from: JSON.encode(self))
            .compactMapValues(\.value)
    }

    /// The recipe with some of its properties changed.
    func setting(_ values: [String: ParameterValue]) throws -> Self {
        do {
            return try merging(JSON(values))
        } catch let error as DecodingError {
            throw EditingExtensionError(code: .badParameter, message: error.text)
        }
    }

    private func merging(_ values: JSON) throws -> Self {
        guard case .object(let values) = values, case .object(let own) = try JSON(self) else {
            throw EditingExtensionError(code: .failed, message: "it is not a JSON object")
        }
        let all = JSON.object(own.merging(values) { _, new in new })
        return try JSONDecoder().decode(Self.self, from: JSON.encode(all))
    }
}

/// A stored property, which may be no parameter.
private struct PossibleParameter: Decodable {
    let value: ParameterValue?

    init(from decoder: any Decoder) throws { value = try? ParameterValue(from: decoder) }
}

extension DecodingError {
    /// What is wrong, and where, for a sentence.
    var text: String {
        let (context, problem): (DecodingError.Context, String) =
            switch self {
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
