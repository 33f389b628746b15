// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import Testing

@testable import Library

/// Dates by the cameras' local clocks.
@Suite("clocks")
struct ClockTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    /// A photo taken at this hour of 2020-03-07 by a clock with this offset.
    private func take(_ hour: Double, offset: Int?) throws -> String {
        let clock = Date(timeIntervalSince1970: 1_583_539_200 + hour * 3600)
        let date = CaptureDate(
            date: clock.addingTimeInterval(-TimeInterval(offset ?? 0)), offset: offset)
        return try library.importAsset("\(hour) \(offset ?? -1)", date: date).id
    }

    private func found(_ predicate: AssetPredicate?) throws -> [String] {
        var options = FetchOptions()
        options.predicate = predicate
        return try Asset.fetchAssets(in: library, options: options).localIdentifiers()
    }

    @Test(
        "a day is found and sorted by the camera's local time, whatever its offset"
    )
    func days() throws {
        let tokyo = try take(1, offset: 9 * 3600)
        let unknown = try take(2, offset: nil)
        let hawaii = try take(23, offset: -10 * 3600)
        _ = try take(-0.5, offset: -10 * 3600)
        _ = try take(24.5, offset: 9 * 3600)
        let start = Date(timeIntervalSince1970: 1_583_539_200)
        let day: AssetPredicate = .and([
            .date(.clock, .atLeast(start)), .date(.clock, .lessThan(start + 86400)),
        ])
        #expect(try found(day) == [tokyo, unknown, hawaii])
        let moments = try AssetCollection.fetchMoments(in: library)
        #expect(moments.map(\.title) == ["2020-03-06", "2020-03-07", "2020-03-08"])
        #expect(
            try Asset.fetchAssets(in: moments[1], library: library).localIdentifiers()
                == [tokyo, unknown, hawaii])
        let asset = try library.asset(withLocalIdentifier: hawaii)
        let own = try AssetCollection.fetchAssetCollectionsContaining(
            asset, with: .moment, in: library)
        #expect(own.map(\.id) == [moments[1].id])
    }

    @Test("the absolute time can be queried too")
    func moment() throws {
        let tokyo = try take(1, offset: 9 * 3600)
        let hawaii = try take(23, offset: -10 * 3600)
        for (id, other) in [(tokyo, hawaii), (hawaii, tokyo)] {
            let date = try #require(library.asset(withLocalIdentifier: id).creationDate)
            #expect(try found(.date(.creation, .equal(date))) == [id])
            #expect(try found(.date(.creation, .between(date - 1, date + 1))) == [id])
            #expect(try found(.not(.date(.creation, .equal(date)))) == [other])
        }
        let undated = try library.importAsset("undated").id
        #expect(try found(.date(.creation, .missing)) == [undated])
        #expect(try found(.date(.clock, .missing)) == [undated])
    }

    @Test("a library of version 3 gets local times and texts, and keeps its data")
    func migration() throws {
        let queue = try DatabaseQueue()
        try Schema(steps: Array(Schema.current.steps.prefix(3))).migrator.migrate(queue)
        func insert(_ id: Int, _ date: Int64?, _ offset: Int?) throws {
            try queue.write {
                try $0.execute(
                    sql: """
                        INSERT INTO asset (id, uuid, media_type, media_subtypes, source_type,
                            pixel_width, pixel_height, original_pixel_width, original_pixel_height,
                            creation_date, creation_offset, added_date, modification_date, duration,
                            is_favorite, is_hidden, represents_burst, burst_selection_types,
                            original_filename, generation, rating)
                        VALUES (?, ?, 1, 0, 1, 1, 1, 1, 1, ?, ?, 0, 0, 0, 0, 0, 0, 0, 'x', 0, 3)
                        """,
                    arguments: [id, "\(id)", date, offset])
            }
        }
        try insert(1, 0, 3600)
        try insert(2, 5_000_000, nil)
        try insert(3, 43_200_000_000, CaptureDate.dayAlone)
        try insert(4, nil, nil)
        try Schema.current.migrator.migrate(queue)
        let dates = try queue.read {
            try Int64.fetchAll($0, sql: "SELECT sort_date FROM asset ORDER BY id")
        }
        #expect(dates == [3_600_000_000, 5_000_000, 43_200_000_000, .max])
        let kept = try queue.read {
            try Int.fetchOne(
                $0, sql: "SELECT count(*) FROM asset WHERE rating = 3 AND title IS NULL")
        }
        #expect(kept == 4)
        try queue.read { try Schema.current.verify($0) }
    }
}
