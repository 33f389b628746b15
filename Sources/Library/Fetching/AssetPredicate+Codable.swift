// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// The serialised form, which applications may store and exchange. A predicate is an object with
/// one key, the name of its case: `{"and": [{"isFavorite": true}, {"rating": {"atLeast": 4}}]}`.
/// The keys are stable; later versions may add more. Dates are seconds since 1970 in UTC, with
/// microsecond precision. Media types and option sets are encoded as PhotoKit's raw values.
extension AssetPredicate: Codable {
    /// Decodes a predicate.
    ///
    /// - Throws: `DecodingError`, including if a condition is unknown or a limit is exceeded: 5000
    ///   conditions, 40 levels of nesting, one million values in lists.
    public init(from decoder: any Decoder) throws {
        var reader = ConditionReader()
        self = try Self.read(
            decoder.container(keyedBy: ConditionKey.self), depth: 0, &reader)
    }

    /// Encodes a predicate.
    ///
    /// - Throws: `EncodingError`, including if the result could not be decoded: too many
    ///   conditions, or numbers that are not finite.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: ConditionKey.self)
        var writer = ConditionWriter()
        try write(to: &object, depth: 0, &writer)
    }

    // MARK: - Reading

    private static func read(
        _ object: ConditionReader.Object, depth: Int, _ reader: inout ConditionReader
    ) throws -> AssetPredicate {
        try reader.admit(object, depth: depth)
        let key = try ConditionReader.key(of: object)
        switch key.stringValue {
        case "and":
            return .and(
                try reader.parts(key, of: object) { try read($0, depth: depth + 1, &$1) })
        case "or":
            return .or(try reader.parts(key, of: object) { try read($0, depth: depth + 1, &$1) })
        case "not":
            let part = try ConditionReader.object(key, of: object)
            return .not(try read(part, depth: depth + 1, &reader))
        default:
            if let flag = flags.first(where: { $0.name == key.stringValue }) {
                try ConditionReader.requireTrue(key, of: object)
                return flag.predicate
            }
            return try readMarks(key, of: object, &reader)
                ?? readValue(key, of: object, &reader)
        }
    }

    /// The conditions without a value, encoded as `true`.
    private static let flags: [(name: String, predicate: AssetPredicate)] = [
        ("isFavorite", .isFavorite), ("isHidden", .isHidden), ("hasAdjustments", .hasAdjustments),
        ("isInBurst", .isInBurst), ("representsBurst", .representsBurst), ("hasRAW", .hasRAW),
        ("hasLocation", .hasLocation), ("isInAlbum", .isInAlbum),
    ]

    private static func readMarks(
        _ key: ConditionKey, of object: ConditionReader.Object, _ reader: inout ConditionReader
    ) throws -> AssetPredicate? {
        func bits() throws -> Int { try object.decode(Int.self, forKey: key) }
        switch key.stringValue {
        case "originalFormat": return .originalFormat(try reader.list(key, of: object))
        case "originalHash":
            guard let hash = SHA256Digest(hex: try object.decode(String.self, forKey: key)) else {
                throw ConditionReader.malformed(
                    object.codingPath + [key], "must be 64 lowercase hexadecimal digits")
            }
            return .originalHash(hash)
        case "mediaType":
            let numbers: [Int] = try reader.list(key, of: object)
            return .mediaType(
                try numbers.map { number in
                    guard let type = MediaType(rawValue: number) else {
                        throw ConditionReader.malformed(
                            object.codingPath + [key], "unknown media type \(number)")
                    }
                    return type
                })
        case "mediaSubtypes": return .mediaSubtypes(MediaSubtype(rawValue: try bits()))
        case "mediaSubtypeMask":
            return .mediaSubtypeMask(
                try ConditionReader.mask(ConditionReader.object(key, of: object)))
        case "sourceType": return .sourceType(AssetSourceType(rawValue: try bits()))
        case "burstSelectionTypes":
            return .burstSelectionTypes(AssetBurstSelectionType(rawValue: try bits()))
        case "burstSelectionMask":
            return .burstSelectionMask(
                try ConditionReader.mask(ConditionReader.object(key, of: object)))
        default: return nil
        }
    }

    private static func readValue(
        _ key: ConditionKey, of object: ConditionReader.Object, _ reader: inout ConditionReader
    ) throws -> AssetPredicate {
        if key.stringValue == "editedBy" {
            return .editedBy(try object.decode(String.self, forKey: key))
        }
        if key.stringValue == "folder" {
            return .folder(try object.decode(String.self, forKey: key))
        }
        guard valueNames.contains(key.stringValue) else {
            throw ConditionReader.unknown(key, of: object, names)
        }
        let value = try ConditionReader.object(key, of: object)
        switch key.stringValue {
        case "date":
            let (key, test) = try ConditionReader.property(of: value, DateKey.self)
            return .date(key, try reader.dates(test))
        case "size":
            let (key, test) = try ConditionReader.property(of: value, SizeKey.self)
            return .size(key, try reader.numbers(test))
        case "text":
            let (key, test) = try ConditionReader.property(of: value, TextKey.self)
            return .text(key, try reader.texts(test))
        case "duration": return .duration(try reader.numbers(value))
        case "exposureTime": return .exposureTime(try reader.numbers(value))
        case "rating": return .rating(try reader.numbers(value))
        case "keyword": return .keyword(try reader.texts(value))
        case "near": return try readPlace(value)
        default: return try readArea(value)
        }
    }

    private static let valueNames = [
        "date", "size", "text", "duration", "exposureTime", "rating", "keyword", "near", "inside",
    ]
    /// All keys, for error messages.
    private static let names =
        ["and", "or", "not"] + flags.map(\.name) + [
            "mediaType", "mediaSubtypes", "mediaSubtypeMask", "sourceType", "burstSelectionTypes",
            "burstSelectionMask", "editedBy", "folder", "originalFormat", "originalHash",
        ] + valueNames

    private static func readPlace(_ object: ConditionReader.Object) throws -> AssetPredicate {
        try ConditionReader.allow(["latitude", "longitude", "metres"], in: object)
        let place = Location(
            latitude: try ConditionReader.number("latitude", of: object),
            longitude: try ConditionReader.number("longitude", of: object))
        guard let place else {
            throw ConditionReader.malformed(object.codingPath, "is not a position on Earth")
        }
        return .near(place, metres: try ConditionReader.number("metres", of: object))
    }

    private static func readArea(_ object: ConditionReader.Object) throws -> AssetPredicate {
        try ConditionReader.allow(["south", "west", "north", "east"], in: object)
        let area = GeographicArea(
            south: try ConditionReader.number("south", of: object),
            west: try ConditionReader.number("west", of: object),
            north: try ConditionReader.number("north", of: object),
            east: try ConditionReader.number("east", of: object))
        guard let area else {
            throw ConditionReader.malformed(object.codingPath, "is not an area on Earth")
        }
        return .inside(area)
    }

    // MARK: - Writing

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
        case .mediaType(let types):
            try object.encode(types.map(\.rawValue), forKey: ConditionKey("mediaType"))
        case .mediaSubtypes(let set):
            try object.encode(set.rawValue, forKey: ConditionKey("mediaSubtypes"))
        case .sourceType(let set):
            try object.encode(set.rawValue, forKey: ConditionKey("sourceType"))
        case .burstSelectionTypes(let set):
            try object.encode(set.rawValue, forKey: ConditionKey("burstSelectionTypes"))
        case .editedBy(let identifier):
            try object.encode(identifier, forKey: ConditionKey("editedBy"))
        case .folder(let pattern):
            try object.encode(pattern, forKey: ConditionKey("folder"))
        case .originalFormat(let formats):
            try object.encode(formats, forKey: ConditionKey("originalFormat"))
        case .originalHash(let hash):
            try object.encode(hash.hex, forKey: ConditionKey("originalHash"))
        case .isFavorite, .isHidden, .hasAdjustments, .isInBurst, .representsBurst, .hasRAW,
            .hasLocation, .isInAlbum:
            let name = Self.flags.first { $0.predicate == self }?.name ?? ""
            try object.encode(true, forKey: ConditionKey(name))
        default: try writeValue(to: &object)
        }
    }

    private func writeValue(to object: inout ConditionWriter.Object) throws {
        func nested(_ name: String, _ key: String? = nil) -> ConditionWriter.Object {
            var value = ConditionWriter.object(name, of: &object)
            return key.map { ConditionWriter.object($0, of: &value) } ?? value
        }
        var value: ConditionWriter.Object
        switch self {
        case .date(let key, let test):
            value = nested("date", key.rawValue)
            try ConditionWriter.write(test, to: &value)
        case .size(let key, let test):
            value = nested("size", key.rawValue)
            try ConditionWriter.write(test, to: &value)
        case .text(let key, let test):
            value = nested("text", key.rawValue)
            try ConditionWriter.write(test, to: &value)
        case .duration(let test):
            value = nested("duration")
            try ConditionWriter.write(test, to: &value)
        case .exposureTime(let test):
            value = nested("exposureTime")
            try ConditionWriter.write(test, to: &value)
        case .rating(let test):
            value = nested("rating")
            try ConditionWriter.write(test, to: &value)
        case .keyword(let test):
            value = nested("keyword")
            try ConditionWriter.write(test, to: &value)
        case .mediaSubtypeMask(let test):
            value = nested("mediaSubtypeMask")
            try ConditionWriter.write(test, to: &value)
        case .burstSelectionMask(let test):
            value = nested("burstSelectionMask")
            try ConditionWriter.write(test, to: &value)
        case .near(let place, let metres):
            value = nested("near")
            try value.encode(place.latitude, forKey: ConditionKey("latitude"))
            try value.encode(place.longitude, forKey: ConditionKey("longitude"))
            try value.encode(metres, forKey: ConditionKey("metres"))
        case .inside(let area):
            value = nested("inside")
            try value.encode(area.south, forKey: ConditionKey("south"))
            try value.encode(area.west, forKey: ConditionKey("west"))
            try value.encode(area.north, forKey: ConditionKey("north"))
            try value.encode(area.east, forKey: ConditionKey("east"))
        default: break
        }
    }
}

extension AssetSortDescriptor.Key: Codable {
    /// Decodes a key from the name of its case.
    ///
    /// - Throws: `DecodingError`, which lists the known names.
    public init(from decoder: any Decoder) throws { self = try .named(by: decoder) }
}
