// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import Library

/// Dates without a known time, and the file times next to them.
@Suite("days without a time")
struct DayTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
    }

    /// 31 May 2024, midnight.
    private static let midnight = 1_717_113_600.0
    private static func moment(hour: Double) -> Date {
        Date(timeIntervalSince1970: midnight + hour * 3600)
    }
    private static let day = CaptureDate(dayOf: moment(hour: 23.9))

    @Test("P-05 a day is stored as a day, counts as noon and survives edits")
    func stored() throws {
        let asset = try library.importAsset("day", date: Self.day)
        #expect(asset.captureDate == Self.day && asset.captureDate?.text == "2024-05-31")
        #expect(asset.creationDate == Self.moment(hour: 12))
        let edited = try library.edit(asset.id, recipe: "one", render: "one")
        #expect(edited.captureDate == Self.day)
        #expect(try temporary.reopen().asset(withLocalIdentifier: asset.id).captureDate == Self.day)
        let facts = try library.history(ofAsset: asset.id).original?.facts
        #expect(facts?.creationDate == Self.day)

        // A time can be added, and removed again.
        let timed = CaptureDate(date: Self.moment(hour: 9), offset: 3600)
        for date in [timed, Self.day, nil, Self.day] {
            try library.performChanges { try AssetChangeRequest(for: edited).captureDate = date }
            #expect(try library.asset(withLocalIdentifier: asset.id).captureDate == date)
        }
        #expect(try library.check().findings.isEmpty)
    }

    @Test("P-05 a day sorts and matches as its noon; the file time only breaks ties")
    func sorting() throws {
        func take(_ name: String, _ date: CaptureDate?, file: Double) throws -> String {
            let blob = try library.stage(name)
            var request: AssetCreationRequest?
            try library.performChanges {
                let new = try AssetCreationRequest.photo(blob, .sample(date: date))
                new.fileDate = Date(timeIntervalSince1970: file)
                request = new
            }
            return try #require(request).placeholderForCreatedAsset.localIdentifier
        }
        func at(_ hour: Double) -> CaptureDate {
            CaptureDate(date: Self.moment(hour: hour), offset: nil)
        }
        // The order of the file times is the reverse of the date order.
        let evening = try take("evening", at(18), file: 1)
        let late = try take("day, copied late", Self.day, file: 9)
        let early = try take("day, copied early", Self.day, file: 2)
        let morning = try take("morning", at(6), file: 20)
        let undated = try take("undated", nil, file: 0)
        #expect(
            try Asset.fetchAssets(in: library).localIdentifiers()
                == [morning, early, late, evening, undated])
        var options = FetchOptions()
        options.predicate = .date(
            .creation, .between(Self.moment(hour: 11.99), Self.moment(hour: 12.01)))
        #expect(
            try Asset.fetchAssets(in: library, options: options).localIdentifiers() == [
                early, late,
            ])
        let edited = try library.edit(early, recipe: "one", render: "one")
        #expect(edited.fileDate == Date(timeIntervalSince1970: 2))
        #expect(edited.creationDate == Self.moment(hour: 12))
    }

    @Test("P-05 a day belongs to the moment of that day")
    func moments() throws {
        let morning = try library.importAsset(
            "morning", date: CaptureDate(date: Self.moment(hour: 0.1), offset: nil))
        let day = try library.importAsset("day", date: Self.day)
        try library.importAsset(
            "next", date: CaptureDate(date: Self.moment(hour: 24.1), offset: nil))
        let found = try AssetCollection.fetchMoments(in: library)
        #expect(found.map(\.title) == ["2024-05-31", "2024-06-01"])
        #expect(
            try Asset.fetchAssets(in: found[0], library: library).localIdentifiers()
                == [morning.id, day.id])
        let own = try AssetCollection.fetchAssetCollectionsContaining(
            day, with: .moment, in: library)
        #expect(own.map(\.id) == [found[0].id])
    }
}
