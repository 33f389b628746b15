// SPDX-License-Identifier: Apache-2.0

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// Decodes a case by its name. The error lists the valid names.
    package static func named(by decoder: any Decoder) throws -> Self {
        let name = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(rawValue: name) else {
            let names = allCases.map(\.rawValue)
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "must be \(names.alternatives), not \"\(name)\""))
        }
        return value
    }
}

extension [String] {
    /// The elements joined by commas, with "or" before the last.
    package var alternatives: String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
