// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

// A stored condition is untrusted: an object with one key, the name of the condition. The reader
// counts conditions and values, so malicious input is rejected early and recursion depth is
// bounded.

/// A key in a stored condition.
struct ConditionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
    init(_ name: String) { stringValue = name }
}
