// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import Library

/// Invalid dates and positions.
@Suite struct ImpossibleFactTests {
    private static let dates = [
        CaptureDate(date: Date(timeIntervalSince1970: .nan), offset: nil),
        CaptureDate(date: Date(timeIntervalSince1970: .infinity), offset: nil),
        CaptureDate(date: Date(timeIntervalSince1970: 1e12), offset: nil),
        CaptureDate(date: .distantPast.addingTimeInterval(-86400 * 2), offset: nil),
        CaptureDate(date: Date(timeIntervalSince1970: 0), offset: 90_000),
        CaptureDate(date: Date(timeIntervalSince1970: 0), offset: .min),
        CaptureDate(date: Date(timeIntervalSince1970: 0), offset: 86_400),
        // The first instant that is written as the year 10000, and the last that is not, at an
        // offset of ten hours east.
        CaptureDate(date: Date(timeIntervalSince1970: 253_402_300_799.9995), offset: nil),
        CaptureDate(date: Date(timeIntervalSince1970: 253_402_300_799), offset: 36_000),
        CaptureDate(date: .distantPast, offset: nil),
    ]

    /// A position that only decoding can create.
    private static func place(_ latitude: Double, _ longitude: Double) throws -> Location {
        let json = #"{"latitude": \#(latitude), "longitude": \#(longitude)}"#
        return try JSONDecoder().decode(Location.self, from: Data(json.utf8))
    }

    @Test("out-of-range dates are rejected, and nothing changes", arguments: 0..<10)
    func dates(_ index: Int) throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let good = CaptureDate(date: Date(timeIntervalSince1970: 1e9), offset: 3600)
        let asset = try library.importAsset("picture", date: good)
        let token = try library.currentChangeToken
        let error = try libraryError {
            try library.performChanges {
                let request = try AssetChangeRequest(for: asset)
                request.isFavorite = true
                request.captureDate = Self.dates[index]
            }
        }
        #expect(error.code == .invalidRequest && error.assetIdentifier == asset.id)
        let created = try libraryError {
            _ = try library.importAsset("another", date: Self.dates[index])
        }
        #expect(created.code == .invalidRequest)
        #expect(try library.currentChangeToken == token)
        #expect(try library.asset(withLocalIdentifier: asset.id) == asset)
    }

    @Test("the first and last representable dates are accepted")
    func extremes() throws {
        let temporary = try TemporaryLibrary()
        for (text, seconds) in [
            ("0001-01-01T00:00:00", -62_135_596_800.0), ("9999-12-31T23:59:59", 253_402_300_799),
            ("9999-12-31T23:59:59.999", 253_402_300_799.999),
            ("4001-01-01T00:00:00", Date.distantFuture.timeIntervalSince1970),
        ] {
            let date = CaptureDate(date: Date(timeIntervalSince1970: seconds), offset: nil)
            #expect(try temporary.library.importAsset(text, date: date).captureDate?.text == text)
        }
    }

    @Test("invalid locations are rejected, and nothing changes")
    func positions() throws {
        #expect(Location(latitude: .nan, longitude: 0) == nil)
        #expect(Location(latitude: 0, longitude: .infinity) == nil)
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset(
            "picture", location: Location(latitude: 1, longitude: 2))
        let token = try library.currentChangeToken
        for (latitude, longitude) in [(91.0, 0.0), (0, -180.5), (0, 0)] {
            let place = try Self.place(latitude, longitude)
            let error = try libraryError {
                try library.performChanges {
                    try AssetChangeRequest(for: asset).location = place
                }
            }
            #expect(error.code == .invalidRequest && error.assetIdentifier == asset.id)
            let created = try libraryError {
                _ = try library.importAsset("another", location: place)
            }
            #expect(created.code == .invalidRequest)
        }
        #expect(try library.currentChangeToken == token)
        #expect(try library.asset(withLocalIdentifier: asset.id) == asset)
    }

    @Test(
        "an invalid duration is rejected, and so is any duration of a photo",
        arguments: [-1, .nan, .infinity, 2.5])
    func durations(_ seconds: Double) throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        func make(_ type: MediaType) throws {
            let blob = try library.stage("medium \(type.name)")
            try library.performChanges {
                let request = try AssetCreationRequest(mediaType: type)
                try request.addResource(.photo, blob: blob, filename: "1")
                request.duration = seconds
            }
        }
        #expect(try libraryError { try make(.image) }.code == .invalidRequest)
        if seconds == 2.5 {
            try make(.video)
            #expect(try Asset.fetchAssets(in: library).map(\.duration) == [2.5])
        } else {
            #expect(try libraryError { try make(.video) }.code == .invalidRequest)
        }
    }
}
