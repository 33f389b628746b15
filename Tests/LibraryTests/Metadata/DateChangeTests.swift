// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import Library

/// Changes of capture dates that depend on the date before.
@Suite("changes of dates")
struct DateChangeTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }
    private static let start = CaptureDate(
        date: Date(timeIntervalSince1970: 1_600_000_000), offset: 7200)

    init() throws { temporary = try TemporaryLibrary() }

    private struct Refusal: Error {}

    private func hourLater(_ date: CaptureDate) -> CaptureDate {
        CaptureDate(date: date.date.addingTimeInterval(3600), offset: date.offset)
    }

    private func shift(_ asset: Asset) throws {
        try library.performChanges {
            try AssetChangeRequest(for: asset).changeCaptureDate(hourLater)
        }
    }

    private func date(_ asset: Asset) throws -> CaptureDate? {
        try library.asset(withLocalIdentifier: asset.id).captureDate
    }

    @Test("shifts by several processes that read the same date add up")
    func twice() throws {
        let asset = try library.importAsset("one", date: Self.start)
        try shift(asset)
        try shift(asset)
        #expect(
            try date(asset)
                == CaptureDate(date: Self.start.date.addingTimeInterval(7200), offset: 7200))
    }

    @Test("a date that another process has set in the meantime is shifted")
    func afterSet() throws {
        let asset = try library.importAsset("one", date: Self.start)
        let other = CaptureDate(date: Date(timeIntervalSince1970: 1000), offset: nil)
        try library.performChanges { try AssetChangeRequest(for: asset).captureDate = other }
        try shift(asset)
        #expect(
            try date(asset) == CaptureDate(date: Date(timeIntervalSince1970: 4600), offset: nil))
    }

    @Test("photos without a date stay without one, and an error changes nothing")
    func failing() throws {
        let (asset, dateless) = try (
            library.importAsset("one", date: Self.start), library.importAsset("two")
        )
        try shift(dateless)
        #expect(try date(dateless) == nil)
        #expect(throws: Refusal.self) {
            try library.performChanges {
                try AssetChangeRequest(for: dateless).isFavorite = true
                try AssetChangeRequest(for: asset).changeCaptureDate { _ in throw Refusal() }
            }
        }
        #expect(try date(asset) == Self.start)
        #expect(try !library.asset(withLocalIdentifier: dateless.id).isFavorite)
    }
}
