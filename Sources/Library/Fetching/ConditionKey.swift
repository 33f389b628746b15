// SPDX-License-Identifier: Apache-2.0

/// A key in a stored condition, which is an object with one key, the name of the condition.
struct ConditionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
    init(_ name: String) { stringValue = name }
}
