// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport

@testable import Library

/// A plain Swift evaluation of predicates, and random predicates.
struct PlainPredicate {
    /// The extensions that made the current version of each asset, by identifier.
    let editors: [String: Set<String>]
    /// The keywords of each asset, by identifier.
    let keywords: [String: [String]]
    /// The identifiers of assets with a RAW file.
    let raws: Set<String>
    /// The formats of originals and RAW files, by identifier.
    let formats: [String: MediaFormat]
    /// The hashes of the originals, by identifier.
    let hashes: [String: SHA256Digest]
    /// The identifiers of assets in an album.
    let members: Set<String>

    init(_ library: GeneratedLibrary) {
        (editors, keywords, raws) = (library.editors, library.keywords, library.raws)
        (formats, hashes, members) = (library.originalFormats, library.hashes, library.members)
    }

    func isMet(_ predicate: AssetPredicate, by asset: Asset) -> Bool {
        switch predicate {
        case .and(let parts): parts.allSatisfy { isMet($0, by: asset) }
        case .or(let parts): parts.contains { isMet($0, by: asset) }
        case .not(let part): !isMet(part, by: asset)
        case .isFavorite: asset.isFavorite
        case .isHidden: asset.isHidden
        case .hasAdjustments: asset.adjustmentFormatIdentifier != nil
        case .isInBurst: asset.burstIdentifier != nil
        case .representsBurst: asset.representsBurst
        case .mediaType(let types): types.contains(asset.mediaType)
        case .mediaSubtypes(let set): asset.mediaSubtypes.isSuperset(of: set)
        case .mediaSubtypeMask(let test): isMet(test, by: asset.mediaSubtypes)
        case .burstSelectionMask(let test): isMet(test, by: asset.burstSelectionTypes)
        case .hasLocation: asset.location != nil
        case .sourceType(let set): !asset.sourceType.isDisjoint(with: set)
        case .burstSelectionTypes(let set): asset.burstSelectionTypes.isSuperset(of: set)
        case .date(let key, let test): isMet(test, by: Self.date(key, of: asset))
        case .size(let key, let test): isMet(test, by: Self.size(key, of: asset))
        case .duration(let test): isMet(test, by: asset.duration)
        case .text(let key, let test): isMet(test, by: Self.text(key, of: asset))
        case .keyword(.missing): keywords[asset.id, default: []].isEmpty
        case .keyword(let test):
            keywords[asset.id, default: []].contains { isMet(test, by: $0) }
        case .rating(let test): isMet(test, by: asset.rating)
        case .exposureTime(let test): isMet(test, by: asset.exposureTime)
        case .hasRAW: raws.contains(asset.id)
        case .originalFormat(let list): formats[asset.id].map(list.contains) ?? false
        case .originalHash(let hash): hashes[asset.id] == hash
        case .folder(let pattern):
            asset.originalFolder.map { Self.isInFolder($0, pattern) } ?? false
        case .isInAlbum: members.contains(asset.id)
        case .editedBy(let name): editors[asset.id, default: []].contains(name)
        case .near(let place, let metres):
            asset.location.map { Self.distance($0, place) <= metres } ?? false
        case .inside(let area): asset.location.map { Self.isInside($0, area) } ?? false
        }
    }

    private func isMet<Value: Comparable>(
        _ test: AssetPredicate.ValueTest<Value>, by value: Value?
    ) -> Bool {
        guard let value else { return test == .missing }
        return switch test {
        case .equal(let other): value == other
        case .lessThan(let other): value < other
        case .atMost(let other): value <= other
        case .greaterThan(let other): value > other
        case .atLeast(let other): value >= other
        case .between(let low, let high): low <= value && value <= high
        case .oneOf(let others): others.contains(value)
        case .missing: false
        }
    }

    /// Compares the masks bit by bit.
    private func isMet<Mask: OptionSet>(
        _ test: AssetPredicate.MaskTest<Mask>, by value: Mask
    ) -> Bool where Mask.RawValue == Int {
        func bits(_ mask: Mask) -> Set<Int> {
            Set((0..<Int.bitWidth).filter { mask.rawValue >> $0 & 1 == 1 })
        }
        return switch test {
        case .allOf(let set): bits(set).isSubset(of: bits(value))
        case .anyOf(let set): !bits(set).isDisjoint(with: bits(value))
        case .noneOf(let set): bits(set).isDisjoint(with: bits(value))
        case .exactly(let set): bits(set) == bits(value)
        }
    }

    private func isMet(_ test: AssetPredicate.TextTest, by text: String?) -> Bool {
        guard let text else { return test == .missing }
        return switch test {
        case .equal(let other): Array(text.utf8) == Array(other.utf8)
        case .oneOf(let others): others.contains { Array($0.utf8) == Array(text.utf8) }
        case .beginsWith(let part): text.lowercased().hasPrefix(part.lowercased())
        case .contains(let part):
            part.isEmpty || text.lowercased().range(of: part.lowercased()) != nil
        case .missing: false
        }
    }

    private static func date(_ key: AssetPredicate.DateKey, of asset: Asset) -> Date? {
        switch key {
        case .creation: asset.creationDate
        case .clock: clock(of: asset)
        case .file: asset.fileDate
        case .added: asset.addedDate
        case .modification: asset.modificationDate
        case .trashed: asset.trashedDate
        }
    }

    /// The local time of the camera, read as UTC.
    static func clock(of asset: Asset) -> Date? {
        asset.captureDate.map { $0.date.addingTimeInterval(TimeInterval($0.offset ?? 0)) }
    }

    private static func size(_ key: AssetPredicate.SizeKey, of asset: Asset) -> Int {
        switch key {
        case .pixelWidth: asset.pixelWidth
        case .pixelHeight: asset.pixelHeight
        case .originalPixelWidth: asset.originalPixelWidth
        case .originalPixelHeight: asset.originalPixelHeight
        }
    }

    private static func text(_ key: AssetPredicate.TextKey, of asset: Asset) -> String? {
        switch key {
        case .localIdentifier: asset.localIdentifier
        case .originalFilename: asset.originalFilename
        case .adjustmentFormatIdentifier: asset.adjustmentFormatIdentifier
        case .burstIdentifier: asset.burstIdentifier
        case .cameraMake: asset.cameraMake
        case .cameraModel: asset.cameraModel
        case .lensModel: asset.lensModel
        case .contentIdentifier: asset.contentIdentifier
        case .title: asset.title
        case .description: asset.descriptionText
        case .creator: asset.creator
        case .copyright: asset.copyright
        case .label: asset.label
        }
    }

    /// Knows only the patterns of ``GeneratedLibrary/folderPatterns``.
    private static func isInFolder(_ folder: String, _ pattern: String) -> Bool {
        let names = folder.split(separator: "/")
        return switch pattern {
        case "Italy": names.contains("Italy")
        case "/Italy": names.first == "Italy"
        case "20*/Italy/": names.count > 1 && names[0].hasPrefix("20") && names[1] == "Italy"
        default: names.contains("2024")
        }
    }

    /// The angle between two unit vectors, scaled to the size of the sphere.
    private static func distance(_ first: Location, _ second: Location) -> Double {
        func vector(_ place: Location) -> [Double] {
            let (north, east) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
            return [cos(north) * cos(east), cos(north) * sin(east), sin(north)]
        }
        let product = zip(vector(first), vector(second)).map { $0 * $1 }.reduce(0, +)
        return acos(max(-1, min(1, product))) * 6_371_008.8
    }

    private static func isInside(_ place: Location, _ area: GeographicArea) -> Bool {
        guard area.south <= place.latitude, place.latitude <= area.north else { return false }
        if area.west <= area.east {
            return area.west <= place.longitude && place.longitude <= area.east
        }
        return place.longitude >= area.west || place.longitude <= area.east
    }
}

extension AssetPredicate {
    /// A random predicate.
    static func random(depth: Int, using random: inout SeededGenerator) -> AssetPredicate {
        if depth > 0 {
            let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Self.random(depth: depth - 1, using: &random)
            }
            switch Int.random(in: 0...3, using: &random) {
            case 0: return .and(parts)
            case 1: return .or(parts)
            case 2: return .not(Self.random(depth: depth - 1, using: &random))
            default: break
            }
        }
        return condition(Int.random(in: 0..<29, using: &random), using: &random)
    }

    private static func condition(_ kind: Int, using random: inout SeededGenerator)
        -> AssetPredicate
    {
        func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
        func angle(_ limit: Double) -> Double { .random(in: -limit...limit, using: &random) }
        switch kind {
        case 0: return .isFavorite
        case 1: return .isHidden
        case 2: return .hasAdjustments
        case 3: return .isInBurst
        case 4: return .representsBurst
        case 5: return .mediaType(MediaType.allCases.filter { _ in number(0...1) == 0 })
        case 6: return .mediaSubtypes(MediaSubtype(rawValue: number(0...7)))
        case 7: return .sourceType(AssetSourceType(rawValue: number(0...7)))
        case 8: return .burstSelectionTypes(AssetBurstSelectionType(rawValue: number(0...3)))
        case 9, 10:
            let key = DateKey.allCases.randomElement(using: &random) ?? .creation
            let dates = (0..<2).map { _ in
                GeneratedLibrary.start.addingTimeInterval(Double(number(0...40)) * 86400)
            }
            return .date(key, test(dates[0], dates[1], using: &random))
        case 11:
            let key = SizeKey.allCases.randomElement(using: &random) ?? .pixelWidth
            let (one, two) = (number(1...9) * 100, number(1...9) * 100)
            return .size(key, test(one, two, using: &random))
        case 12:
            let (one, two) = (Double(number(0...5)), Double(number(0...5)))
            return .duration(test(one, two, using: &random))
        case 13: return text(using: &random)
        case 17, 18: return .keyword(textTest(using: &random))
        case 19: return .rating(test(number(-1...5), number(-1...5), using: &random))
        case 20: return .hasRAW
        case 21:
            let (one, two) = (Double(number(1...3)) / 2, Double(number(1...3)) / 2)
            return .exposureTime(test(one, two, using: &random))
        case 22:
            let bits = MediaSubtype(rawValue: number(0...7))
            return .mediaSubtypeMask(mask(bits, using: &random))
        case 23:
            let bits = AssetBurstSelectionType(rawValue: number(0...3))
            return .burstSelectionMask(mask(bits, using: &random))
        case 24: return .hasLocation
        case 25: return .isInAlbum
        case 26:
            let formats = GeneratedLibrary.originalFormats
            return .originalFormat(formats.filter { _ in number(0...1) == 0 })
        case 27: return .originalHash(GeneratedLibrary.hash(number(1...300)))
        case 28: return .folder(GeneratedLibrary.folderPatterns[number(0...3)])
        case 14: return .editedBy(GeneratedLibrary.extensions[number(0...2)])
        case 15:
            guard let place = Location(latitude: angle(90), longitude: angle(180)) else {
                return .isHidden
            }
            return .near(place, metres: Double(number(0...20_000)) * 1000)
        default:
            let south = angle(90)
            let area = GeographicArea(
                south: south, west: angle(180), north: .random(in: south...90, using: &random),
                east: angle(180))
            return area.map { .inside($0) } ?? .isHidden
        }
    }

    private static func test<Value>(
        _ one: Value, _ two: Value, using random: inout SeededGenerator
    ) -> ValueTest<Value> {
        switch Int.random(in: 0...7, using: &random) {
        case 0: .equal(one)
        case 1: .lessThan(one)
        case 2: .atMost(one)
        case 3: .greaterThan(one)
        case 4: .atLeast(one)
        case 5: .between(one, two)
        case 6: .oneOf([one, two])
        default: .missing
        }
    }

    private static func mask<Mask>(
        _ bits: Mask, using random: inout SeededGenerator
    ) -> MaskTest<Mask> {
        switch Int.random(in: 0...3, using: &random) {
        case 0: .allOf(bits)
        case 1: .anyOf(bits)
        case 2: .noneOf(bits)
        default: .exactly(bits)
        }
    }

    private static func text(using random: inout SeededGenerator) -> AssetPredicate {
        let key = TextKey.allCases.randomElement(using: &random) ?? .originalFilename
        return .text(key, textTest(using: &random))
    }

    private static func textTest(using random: inout SeededGenerator) -> TextTest {
        let texts =
            GeneratedLibrary.names + GeneratedLibrary.formats + [
                "", "mg", "IMG", "É", "e\u{301}t", "%", "_", "burst 1", "org", "'", "\"", "été",
            ]
        func any() -> String { texts.randomElement(using: &random) ?? "" }
        switch Int.random(in: 0...4, using: &random) {
        case 0: return .equal(any())
        case 1: return .oneOf([any(), any()])
        case 2: return .beginsWith(any())
        case 3: return .contains(any())
        default: return .missing
        }
    }
}
