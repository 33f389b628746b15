// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Encodes the parts of conditions and enforces the limits.
struct ConditionWriter {
    typealias Object = KeyedEncodingContainer<ConditionKey>

    private var conditionCount = 0

    /// Counts a condition. Throws an error if there are too many or if it is nested too deeply.
    mutating func admit(_ object: Object, _ condition: Any, depth: Int) throws {
        conditionCount += 1
        guard depth <= PredicateCompiler.maximumDepth,
            conditionCount <= PredicateCompiler.maximumCount
        else {
            throw EncodingError.invalidValue(
                condition,
                EncodingError.Context(
                    codingPath: object.codingPath, debugDescription: PredicateCompiler.tooLarge))
        }
    }

    /// Encodes objects as the list for a key.
    mutating func parts<Part>(
        _ parts: [Part], _ name: String, to object: inout Object,
        _ write: (Part, inout Object, inout ConditionWriter) throws -> Void
    ) throws {
        var list = object.nestedUnkeyedContainer(forKey: ConditionKey(name))
        for part in parts {
            var nested = list.nestedContainer(keyedBy: ConditionKey.self)
            try write(part, &nested, &self)
        }
    }

    /// Returns the object for a key.
    static func object(_ name: String, of object: inout Object) -> Object {
        object.nestedContainer(keyedBy: ConditionKey.self, forKey: ConditionKey(name))
    }

    static func write<Value, Stored: Encodable>(
        _ test: AssetPredicate.ValueTest<Value>, to object: inout Object,
        _ stored: (Value) -> Stored
    ) throws {
        switch test {
        case .equal(let value): try object.encode(stored(value), forKey: ConditionKey("equal"))
        case .lessThan(let value):
            try object.encode(stored(value), forKey: ConditionKey("lessThan"))
        case .atMost(let value): try object.encode(stored(value), forKey: ConditionKey("atMost"))
        case .greaterThan(let value):
            try object.encode(stored(value), forKey: ConditionKey("greaterThan"))
        case .atLeast(let value): try object.encode(stored(value), forKey: ConditionKey("atLeast"))
        case .between(let low, let high):
            try object.encode([stored(low), stored(high)], forKey: ConditionKey("between"))
        case .oneOf(let values):
            try object.encode(values.map(stored), forKey: ConditionKey("oneOf"))
        case .missing: try object.encode(true, forKey: ConditionKey("missing"))
        }
    }

    static func write(_ test: AssetPredicate.ValueTest<Int>, to object: inout Object) throws {
        try write(test, to: &object) { $0 }
    }

    static func write(_ test: AssetPredicate.ValueTest<Double>, to object: inout Object) throws {
        try write(test, to: &object) { $0 }
    }

    static func write(_ test: AssetPredicate.ValueTest<Date>, to object: inout Object) throws {
        try write(test, to: &object) { Double($0.microseconds) / 1e6 }
    }

    static func write(_ test: AssetPredicate.TextTest, to object: inout Object) throws {
        switch test {
        case .equal(let text): try object.encode(text, forKey: ConditionKey("equal"))
        case .oneOf(let texts): try object.encode(texts, forKey: ConditionKey("oneOf"))
        case .beginsWith(let text): try object.encode(text, forKey: ConditionKey("beginsWith"))
        case .contains(let text): try object.encode(text, forKey: ConditionKey("contains"))
        case .missing: try object.encode(true, forKey: ConditionKey("missing"))
        }
    }

    static func write<Mask: OptionSet>(
        _ test: AssetPredicate.MaskTest<Mask>, to object: inout Object
    ) throws where Mask.RawValue == Int {
        let (name, mask) =
            switch test {
            case .allOf(let mask): ("allOf", mask)
            case .anyOf(let mask): ("anyOf", mask)
            case .noneOf(let mask): ("noneOf", mask)
            case .exactly(let mask): ("exactly", mask)
            }
        try object.encode(mask.rawValue, forKey: ConditionKey(name))
    }
}
