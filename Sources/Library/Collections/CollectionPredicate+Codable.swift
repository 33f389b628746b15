// SPDX-License-Identifier: Apache-2.0

/// The serialised form, like that of ``AssetPredicate``: `{"text": {"localizedTitle":
/// {"beginsWith": "Summer"}}}`.
extension CollectionPredicate: Codable {
    /// Decodes a predicate.
    ///
    /// - Throws: `DecodingError`, with the limits of ``AssetPredicate``.
    public init(from decoder: any Decoder) throws {
        var reader = ConditionReader()
        self = try Self.read(
            decoder.container(keyedBy: ConditionKey.self), depth: 0, &reader)
    }

    /// Encodes a predicate.
    ///
    /// - Throws: `EncodingError`, with the limits of ``AssetPredicate``.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: ConditionKey.self)
        var writer = ConditionWriter()
        try write(to: &object, depth: 0, &writer)
    }

    private static func read(
        _ object: ConditionReader.Object, depth: Int, _ reader: inout ConditionReader
    ) throws -> CollectionPredicate {
        try reader.admit(object, depth: depth)
        let key = try ConditionReader.key(of: object)
        func value() throws -> ConditionReader.Object {
            try ConditionReader.object(key, of: object)
        }
        switch key.stringValue {
        case "and":
            return .and(
                try reader.parts(key, of: object) { try read($0, depth: depth + 1, &$1) })
        case "or":
            return .or(try reader.parts(key, of: object) { try read($0, depth: depth + 1, &$1) })
        case "not": return .not(try read(value(), depth: depth + 1, &reader))
        case "text":
            let (key, test) = try ConditionReader.property(of: value(), TextKey.self)
            return .text(key, try reader.texts(test))
        case "date":
            let (key, test) = try ConditionReader.property(of: value(), DateKey.self)
            return .date(key, try reader.dates(test))
        case "estimatedAssetCount": return .estimatedAssetCount(try reader.numbers(value()))
        default:
            throw ConditionReader.unknown(
                key, of: object, ["and", "or", "not", "text", "date", "estimatedAssetCount"])
        }
    }

    private func write(
        to object: inout ConditionWriter.Object, depth: Int, _ writer: inout ConditionWriter
    ) throws {
        try writer.admit(object, self, depth: depth)
        switch self {
        case .and(let parts):
            try writer.parts(parts, "and", to: &object) {
                try $0.write(to: &$1, depth: depth + 1, &$2)
            }
        case .or(let parts):
            try writer.parts(parts, "or", to: &object) {
                try $0.write(to: &$1, depth: depth + 1, &$2)
            }
        case .not(let part):
            var nested = ConditionWriter.object("not", of: &object)
            try part.write(to: &nested, depth: depth + 1, &writer)
        case .text(let key, let test):
            var value = ConditionWriter.object("text", of: &object)
            var property = ConditionWriter.object(key.rawValue, of: &value)
            try ConditionWriter.write(test, to: &property)
        case .date(let key, let test):
            var value = ConditionWriter.object("date", of: &object)
            var property = ConditionWriter.object(key.rawValue, of: &value)
            try ConditionWriter.write(test, to: &property)
        case .estimatedAssetCount(let test):
            var value = ConditionWriter.object("estimatedAssetCount", of: &object)
            try ConditionWriter.write(test, to: &value)
        }
    }
}

extension CollectionSortDescriptor.Key: Codable {
    /// Decodes a key from the name of its case.
    ///
    /// - Throws: `DecodingError`, which lists the known names.
    public init(from decoder: any Decoder) throws { self = try .named(by: decoder) }
}
