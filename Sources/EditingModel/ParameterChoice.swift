// SPDX-License-Identifier: Apache-2.0

/// A value of a choice parameter. In a manifest it is a string, or an object with `value` and `label`.
public struct ParameterChoice: Hashable, Sendable {
    /// The value that is stored in recipes.
    public var value: String
    /// The label in a form; `nil` uses the value.
    public var label: LocalizedText?

    /// Creates a choice with an optional label.
    public init(_ value: String, label: LocalizedText? = nil) {
        self.value = value
        self.label = label
    }
}

extension ParameterChoice: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable { case value, label }

    /// Decodes a string, or an object with `value` and `label`.
    public init(from decoder: any Decoder) throws {
        if let value = try? decoder.singleValueContainer().decode(String.self) {
            self.init(value)
            return
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(String.self, forKey: .value),
            label: try values.decodeIfPresent(LocalizedText.self, forKey: .label))
    }

    /// Encodes a string if there is no label, otherwise an object.
    public func encode(to encoder: any Encoder) throws {
        guard let label else {
            var single = encoder.singleValueContainer()
            try single.encode(value)
            return
        }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(value, forKey: .value)
        try values.encode(label, forKey: .label)
    }
}
