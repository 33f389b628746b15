// SPDX-License-Identifier: Apache-2.0

extension ExtensionParameter {
    /// The maximum number of choices of a parameter.
    public static let maximumChoices = 1024

    /// The values of a choice parameter; empty for other types.
    public var choiceValues: [String] { choices?.map(\.value) ?? [] }

    /// Validates that a choice parameter has choices, without duplicates.
    func checkChoices(key: String) throws {
        let choices = choices ?? []
        guard type != .choice || !choices.isEmpty else {
            throw InvalidValueError.manifest("\(key).choices", "is missing or empty")
        }
        guard choices.count <= Self.maximumChoices else {
            throw InvalidValueError.manifest(
                "\(key).choices", "has more than \(Self.maximumChoices) choices")
        }
        var values: Set<String> = []
        for (index, choice) in choices.enumerated() {
            guard values.insert(choice.value).inserted else {
                throw InvalidValueError.manifest(
                    "\(key).choices[\(index)]", "is used more than once: \"\(choice.value)\"")
            }
            guard choice.value.hasNameCharactersOnly else {
                throw InvalidValueError.manifest(
                    "\(key).choices[\(index)]",
                    "must be without control characters, line separators and bidirectional controls"
                )
            }
            try choice.label?.check(key: "\(key).choices[\(index)].label")
        }
    }
}
