// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Encoding and decoding of recipes as JSON objects.
extension PhotoFilter {
    /// Decodes a recipe, and converts one of an earlier version.
    init(_ adjustment: AdjustmentData) throws {
        let versions = Self.readableFormatVersions + Self.manifest.upgrades
        guard adjustment.formatIdentifier == Self.formatIdentifier,
            versions.contains(adjustment.formatVersion)
        else {
            throw EditingExtensionError(
                code: .badAdjustment,
                message: "the recipe is \(adjustment.formatIdentifier) "
                    + "\(adjustment.formatVersion), which \(Self.identifier) cannot read")
        }
        do {
            try self.init(recipe: adjustment.data, version: adjustment.formatVersion)
        } catch {
            throw EditingExtensionError(
                code: .badAdjustment, message: "the recipe cannot be read: \(error)")
        }
    }

    /// Encodes the recipe for storage. Equal values give equal bytes.
    func adjustmentData() throws -> AdjustmentData {
        AdjustmentData(
            formatIdentifier: Self.formatIdentifier, formatVersion: Self.formatVersion,
            data: try JSON.encode(self))
    }

    /// Returns the stored properties that are valid parameter values, by name.
    func parameters() throws -> [String: ParameterValue] {
        try JSONDecoder().decode([String: PossibleParameter].self, from: JSON.encode(self))
            .compactMapValues(\.value)
    }

    /// Returns a copy of the recipe with the given properties changed.
    func setting(_ values: [String: ParameterValue]) throws -> Self {
        do {
            return try merging(JSON(values))
        } catch let error as DecodingError {
            throw EditingExtensionError(code: .badParameter, message: error.text)
        }
    }

    /// Returns a copy of the recipe with the values of a JSON object.
    func merging(_ values: JSON) throws -> Self {
        guard case .object(let values) = values, case .object(let own) = try JSON(self) else {
            throw EditingExtensionError(code: .failed, message: "it is not a JSON object")
        }
        let all = JSON.object(own.merging(values) { _, new in new })
        return try JSONDecoder().decode(Self.self, from: JSON.encode(all))
    }
}

/// The value of a stored property; nil if it is not a valid parameter value.
private struct PossibleParameter: Decodable {
    let value: ParameterValue?

    init(from decoder: any Decoder) throws { value = try? ParameterValue(from: decoder) }
}

extension DecodingError {
    /// A description of a decoding error and its location, for use in a message.
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
