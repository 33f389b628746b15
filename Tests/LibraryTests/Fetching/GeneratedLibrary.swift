// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import TestSupport

@testable import Library

/// A library whose rows are generated from a seed with SQL.
final class GeneratedLibrary {
    static let extensions = ["org.example.one", "org.example.two", "org.example.three"]
    static let names = ["IMG_1.JPG", "img_2.jpg", "Été.png", "ete\u{301}.png", "50%_a.tif", "x'y"]
    static let folders = [
        "2024/Italy/Rome", "2023/Italy", "Italy", "2024", "2024/Italia", "a/b/Italy",
    ]
    static let folderPatterns = ["Italy", "/Italy", "20*/Italy/", "2024/"]
    static let frontCamera = "iPhone 12 Front Camera 2.71mm f/2.2"
    static let formats = ["org.example.sepia", "org.example.crop"]
    static let originalFormats: [MediaFormat] = [.jpeg, .dng, .raw, .tiff]
    static let start = Date(timeIntervalSince1970: 1_700_000_000)

    let temporary: TemporaryLibrary
    /// The extensions that made the current version of each asset, by identifier.
    private(set) var editors: [String: Set<String>] = [:]
    /// The keywords of each asset, by identifier.
    private(set) var keywords: [String: [String]] = [:]
    /// The identifiers of assets with a RAW file.
    private(set) var raws: Set<String> = []
    /// The formats of originals and RAW files, by identifier.
    private(set) var originalFormats: [String: MediaFormat] = [:]
    /// The hashes of the originals, by identifier.
    private(set) var hashes: [String: SHA256Digest] = [:]
    /// The identifiers of assets in an album.
    private(set) var members: Set<String> = []
    private var random: SeededGenerator
    private var bursts: Set<String> = []

    var library: PhotoLibrary { temporary.library }

    /// - Parameter hasAlbums: Whether there are two albums, with some of the assets.
    init(_ count: Int, seed: UInt64, hasAlbums: Bool = false) throws {
        temporary = try TemporaryLibrary()
        random = SeededGenerator(seed: seed)
        let (pool, _) = try library.writer()
        try pool.write { database in
            for number in 1...max(count, 1) where count > 0 { try insert(number, into: database) }
            if hasAlbums { try insertAlbums(into: database) }
        }
    }

    /// All assets in the order in which they were added.
    func assets() throws -> [Asset] {
        try library.read { database in
            try database.records(
                "SELECT \(Asset.columns) FROM asset ORDER BY id", [], Asset.init(row:))
        }
    }

    /// Moves every seventh asset to the trash.
    func trashSome() throws {
        try execute("UPDATE asset SET trashed_date = added_date + 1 WHERE id % 7 = 0")
    }

    func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        try library.writer().0.write { try $0.execute(sql: sql, arguments: arguments) }
    }

    private func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }

    private func moment(_ days: Int) -> Int64 {
        // Only a few different days, so that many are equal.
        let day = Double(Int.random(in: 0..<days, using: &random))
        return Self.start.addingTimeInterval(day * 86400).microseconds
    }

    private func identifier() -> String {
        func word() -> String {
            let digits = String(random.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        let digits = Array(word() + word())
        return [digits[..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]]
            .map { String($0) }.joined(separator: "-")
    }

    /// The first picture of a burst represents it.
    private func represents(_ burst: String?) -> Bool {
        burst.map { bursts.insert($0).inserted } ?? false
    }

    private func insert(_ id: Int, into database: Database) throws {
        let uuid = identifier()
        let isPlaced = chance(0.5)
        let isInBurst = chance(0.3)
        let burst = isInBurst ? "burst \(Int.random(in: 0...20, using: &random))" : nil
        let chain =
            chance(0.4)
            ? (0..<Int.random(in: 1...3, using: &random)).map { _ in
                Self.extensions.randomElement(using: &random) ?? ""
            } : []
        let format = Self.formats.randomElement(using: &random)
        let offset = offset()
        let date = chance(0.8) ? Self.stored(moment(40), offset) : nil
        let values: [String: (any DatabaseValueConvertible)?] = [
            "id": id, "uuid": uuid,
            "media_type": Int.random(in: 0...3, using: &random),
            "media_subtypes": Int.random(in: 0...31, using: &random) | (chance(0.1) ? 1 << 30 : 0),
            "source_type": chance(0.9) ? 1 : 1 << Int.random(in: 1...2, using: &random),
            "pixel_width": Int.random(in: 1...9, using: &random) * 100,
            "pixel_height": Int.random(in: 1...9, using: &random) * 100,
            "original_pixel_width": 100, "original_pixel_height": 200,
            "creation_date": date, "creation_offset": date == nil ? nil : offset,
            "file_date": chance(0.5) ? moment(5) : nil,
            "added_date": moment(30), "modification_date": moment(30),
            "latitude": isPlaced ? Double.random(in: -90...90, using: &random) : nil,
            "longitude": isPlaced ? Double.random(in: -180...180, using: &random) : nil,
            "duration": chance(0.2) ? Double(Int.random(in: 1...5, using: &random)) : 0,
            "is_favorite": chance(0.2), "is_hidden": chance(0.1),
            "burst_identifier": burst, "represents_burst": represents(burst),
            "burst_selection_types": isInBurst ? Int.random(in: 0...3, using: &random) : 0,
            "camera_make": chance(0.7) ? Self.names.randomElement(using: &random) : nil,
            "camera_model": chance(0.7) ? Self.names.randomElement(using: &random) : nil,
            "lens_model": chance(0.5)
                ? (Self.names + [Self.frontCamera]).randomElement(using: &random) : nil,
            "rating": chance(0.5) ? Int.random(in: -1...5, using: &random) : nil,
            "title": chance(0.3) ? Self.names.randomElement(using: &random) : nil,
            "description": chance(0.3) ? Self.names.randomElement(using: &random) : nil,
            // An empty text records a removal.
            "creator": chance(0.3) ? (Self.names + [""]).randomElement(using: &random) : nil,
            "copyright": chance(0.3) ? (Self.names + [""]).randomElement(using: &random) : nil,
            "label": chance(0.3) ? Self.names.randomElement(using: &random) : nil,
            "exposure_time": chance(0.5) ? Double(Int.random(in: 1...4, using: &random)) / 2 : nil,
            "content_identifier": chance(0.1) ? Self.names.randomElement(using: &random) : nil,
            "original_folder": id % 2 == 0 ? nil : Self.folders[id / 2 % Self.folders.count],
            "original_filename": Self.names.randomElement(using: &random),
            "generation": 0, "position": chain.isEmpty ? nil : 1,
            "adjustment_format": chain.isEmpty ? nil : format,
        ]
        let names = values.keys.sorted()
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO asset (\(names.joined(separator: ", ")))
                VALUES (\(names.map { ":" + $0 }.joined(separator: ", ")))
                """)
        try statement.execute(arguments: StatementArguments(values))
        if !chain.isEmpty { try insert(chain, of: id, into: database) }
        editors[uuid] = Set(chain)
        let words = Self.names.filter { _ in chance(0.2) }
        for word in words {
            try database.execute(
                sql: "INSERT INTO keyword (asset_id, text) VALUES (?, ?)", arguments: [id, word])
        }
        keywords[uuid] = words
        if chance(0.6) { try insertResource(of: id, uuid, into: database) }
    }

    /// Includes offsets far from UTC, so that local times and instants sort differently, and days
    /// without a time.
    private func offset() -> Int? {
        [nil, nil, 0, 3600, -36_000, 43_200, -86_399, CaptureDate.dayAlone]
            .randomElement(using: &random) ?? nil
    }

    /// A day without a time is stored as noon.
    private static func stored(_ moment: Int64, _ offset: Int?) -> Int64 {
        let day: Int64 = 86_400_000_000
        return offset == CaptureDate.dayAlone ? moment / day * day + day / 2 : moment
    }

    /// The hash of the original of an asset, up to number 65,535.
    static func hash(_ asset: Int) -> SHA256Digest {
        SHA256Digest(
            bytes: [UInt8](repeating: 0, count: 30) + [UInt8(asset >> 8 & 255), UInt8(asset & 255)])
    }

    private func insertResource(of asset: Int, _ uuid: String, into database: Database) throws {
        let isAlternate = chance(0.3)
        let isPrimary = !isAlternate && asset % 3 > 0
        let format = Self.originalFormats.randomElement(using: &random) ?? .jpeg
        try database.execute(
            sql: """
                INSERT INTO resource
                    (asset_id, type, is_primary, url, content_hash, filename, format)
                VALUES (?, ?, ?, 'file:///x', ?, 'x', ?)
                """,
            arguments: [
                asset, isAlternate ? 4 : 1, isPrimary, Self.hash(asset).hex, format.rawValue,
            ])
        if isAlternate || [.dng, .raw].contains(format) { raws.insert(uuid) }
        if isAlternate || isPrimary { originalFormats[uuid] = format }
        if isPrimary { hashes[uuid] = Self.hash(asset) }
    }

    /// Adds each asset to none, one or both of two new albums.
    private func insertAlbums(into database: Database) throws {
        for album in 1...2 {
            try database.execute(
                sql: """
                    INSERT INTO collection (id, uuid, kind, rank, title, created, modified)
                    VALUES (?, ?, 'album', ?, 'a', 0, 0)
                    """, arguments: [album, identifier(), album])
            let assets = try database.records("SELECT id, uuid FROM asset ORDER BY id", []) {
                (try $0.value(0, as: Int.self), try $0.value(1, as: String.self))
            }
            for (asset, uuid) in assets where chance(0.2) {
                try database.execute(
                    sql: "INSERT INTO album_member (album_id, asset_id, rank) VALUES (?, ?, ?)",
                    arguments: [album, asset, asset])
                members.insert(uuid)
            }
        }
    }

    /// Inserts a chain of edits as the first state, and an undone edit on top of it.
    private func insert(_ chain: [String], of asset: Int, into database: Database) throws {
        var parent: Int64?
        for (place, name) in (chain + [Self.extensions[0]]).enumerated() {
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO edit (uuid, asset_id, parent_id, extension_identifier,
                        extension_version, binary_hash, format_identifier, format_version,
                        adjustment_data, created)
                    VALUES (?, ?, ?, ?, '1', ?, 'f', '1', x'00', 0)
                    """)
            try statement.execute(arguments: [
                identifier(), asset, parent, name, String(repeating: "0", count: 64),
            ])
            parent = database.lastInsertedRowID
            if place >= chain.count - 1 {
                try database.execute(
                    sql: "INSERT INTO state VALUES (?, ?, ?, 0)",
                    arguments: [asset, place - chain.count + 2, parent])
            }
        }
    }
}
