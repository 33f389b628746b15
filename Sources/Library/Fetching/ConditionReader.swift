// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Decodes the parts of conditions and enforces the limits.
///
/// A stored condition is untrusted: an object with one key, the name of the condition. The reader
/// counts conditions and values, so malicious input is rejected early and recursion depth is
/// bounded.
struct ConditionReader {
    typealias Object = KeyedDecodingContainer<ConditionKey>

    /// The maximum number of values in all lists together.
    static let maximumValues = 1_000_000

    private var conditionCount = 0
    private var valueCount = 0

    /// Counts a condition. Throws an error if there are too many or if it is nested too deeply.
    mutating func admit(_ object: Object, depth: Int) throws {
        conditionCount += 1
        guard depth <= PredicateCompiler.maximumDepth,
            conditionCount <= PredicateCompiler.maximumCount
        else {
            throw Self.malformed(object.codingPath, PredicateCompiler.tooLarge)
        }
    }

    static func malformed(_ path: [any CodingKey], _ problem: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: problem))
    }

    /// Returns the only key of an object.
    static func key(of object: Object) throws -> ConditionKey {
        let keys = object.allKeys
        guard keys.count == 1, let key = keys.first else {
            throw malformed(object.codingPath, "must be an object with one key")
        }
        return key
    }

    /// Returns the object for a key.
    static func object(_ key: ConditionKey, of object: Object) throws -> Object {
        try object.nestedContainer(keyedBy: ConditionKey.self, forKey: key)
    }

    /// Returns the objects in the list for a key.
    mutating func parts<Part>(
        _ key: ConditionKey, of object: Object,
        _ read: (Object, inout ConditionReader) throws -> Part
    ) throws -> [Part] {
        var list = try object.nestedUnkeyedContainer(forKey: key)
        var parts: [Part] = []
        while !list.isAtEnd {
            parts.append(try read(list.nestedContainer(keyedBy: ConditionKey.self), &self))
        }
        return parts
    }

    /// Returns the values in the list for a key.
    mutating func list<Value: Decodable>(_ key: ConditionKey, of object: Object) throws -> [Value] {
        var list = try object.nestedUnkeyedContainer(forKey: key)
        var values: [Value] = []
        while !list.isAtEnd {
            valueCount += 1
            guard valueCount <= Self.maximumValues else {
                throw Self.malformed(
                    list.codingPath, "the lists have more than \(Self.maximumValues) values")
            }
            values.append(try list.decode(Value.self))
        }
        return values
    }

    /// Throws an error unless the value for a key is `true`.
    static func requireTrue(_ key: ConditionKey, of object: Object) throws {
        guard try object.decode(Bool.self, forKey: key) else {
            throw malformed(
                object.codingPath + [key], "must be true; for the opposite use \"not\"")
        }
    }

    /// Returns a finite number.
    static func number(_ key: String, of object: Object) throws -> Double {
        let value = try object.decode(Double.self, forKey: ConditionKey(key))
        guard value.isFinite else {
            throw malformed(object.codingPath + [ConditionKey(key)], "must be a finite number")
        }
        return value
    }

    /// Returns the property that an object compares, from its key, and the object with the
    /// comparison.
    static func property<Key: RawRepresentable<String> & CaseIterable>(
        of object: Object, _ type: Key.Type = Key.self
    ) throws -> (Key, Object) {
        let name = try key(of: object)
        guard let key = Key(rawValue: name.stringValue) else {
            throw unknown(name, of: object, Key.allCases.map(\.rawValue))
        }
        return (key, try Self.object(name, of: object))
    }

    /// Throws an error if an object has a key without one of the names.
    static func allow(_ names: [String], in object: Object) throws {
        if let key = object.allKeys.first(where: { !names.contains($0.stringValue) }) {
            throw unknown(key, of: object, names)
        }
    }

    static func unknown(
        _ key: ConditionKey, of object: Object, _ names: [String]
    ) -> DecodingError {
        malformed(
            object.codingPath, "must have \(names.alternatives), not \"\(key.stringValue)\"")
    }

    // MARK: - Tests

    private static let valueNames = [
        "equal", "lessThan", "atMost", "greaterThan", "atLeast", "between", "oneOf", "missing",
    ]

    /// Decodes a comparison of numbers or dates.
    ///
    /// - Parameter value: Converts a stored value, or returns nil if it is invalid.
    mutating func valueTest<Value, Stored: Decodable>(
        _ object: Object, _ value: (Stored) -> Value?
    ) throws -> AssetPredicate.ValueTest<Value> {
        let key = try Self.key(of: object)
        func made(_ stored: Stored) throws -> Value {
            guard let value = value(stored) else {
                throw Self.malformed(object.codingPath + [key], "must be a finite number")
            }
            return value
        }
        func one() throws -> Value { try made(object.decode(Stored.self, forKey: key)) }
        switch key.stringValue {
        case "equal": return .equal(try one())
        case "lessThan": return .lessThan(try one())
        case "atMost": return .atMost(try one())
        case "greaterThan": return .greaterThan(try one())
        case "atLeast": return .atLeast(try one())
        case "oneOf":
            let stored: [Stored] = try list(key, of: object)
            return .oneOf(try stored.map(made))
        case "between":
            let stored: [Stored] = try list(key, of: object)
            guard stored.count == 2 else {
                throw Self.malformed(object.codingPath + [key], "must have two values")
            }
            return .between(try made(stored[0]), try made(stored[1]))
        case "missing":
            try Self.requireTrue(key, of: object)
            return .missing
        default: throw Self.unknown(key, of: object, Self.valueNames)
        }
    }

    mutating func numbers(_ object: Object) throws -> AssetPredicate.ValueTest<Int> {
        try valueTest(object) { (stored: Int) in stored }
    }

    mutating func numbers(_ object: Object) throws -> AssetPredicate.ValueTest<Double> {
        try valueTest(object) { (stored: Double) in stored.isFinite ? stored : nil }
    }

    /// Decodes a comparison of dates, stored as seconds since 1970 in UTC.
    mutating func dates(_ object: Object) throws -> AssetPredicate.ValueTest<Date> {
        try valueTest(object) { (stored: Double) in
            stored.isFinite ? Date(timeIntervalSince1970: stored) : nil
        }
    }

    mutating func texts(_ object: Object) throws -> AssetPredicate.TextTest {
        let key = try Self.key(of: object)
        func one() throws -> String { try object.decode(String.self, forKey: key) }
        switch key.stringValue {
        case "equal": return .equal(try one())
        case "oneOf": return .oneOf(try list(key, of: object))
        case "beginsWith": return .beginsWith(try one())
        case "contains": return .contains(try one())
        case "missing":
            try Self.requireTrue(key, of: object)
            return .missing
        default:
            throw Self.unknown(
                key, of: object, ["equal", "oneOf", "beginsWith", "contains", "missing"])
        }
    }

    /// Decodes a comparison of option sets, stored as raw values.
    static func mask<Mask: OptionSet>(
        _ object: Object
    ) throws -> AssetPredicate.MaskTest<Mask> where Mask.RawValue == Int {
        let key = try key(of: object)
        func bits() throws -> Mask { Mask(rawValue: try object.decode(Int.self, forKey: key)) }
        switch key.stringValue {
        case "allOf": return .allOf(try bits())
        case "anyOf": return .anyOf(try bits())
        case "noneOf": return .noneOf(try bits())
        case "exactly": return .exactly(try bits())
        default: throw unknown(key, of: object, ["allOf", "anyOf", "noneOf", "exactly"])
        }
    }
}
