// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// What numbers of a library can be at most, so that whoever calculates with them does not have to
/// think of overflow. No library of any use comes near.
enum Limits {
    /// The width or the height of a picture: times the other, times eight bytes, is still a number.
    static let pixels = 0...1_000_000_000
    /// The size of a file in bytes.
    static let bytes = 1...(1 << 50)
    /// States, edits and whatever else is counted one by one.
    static let counts = 0...(1 << 40)
    /// What orders the members of an album, or what lies in a folder.
    static let ranks: ClosedRange<Int64> = -(1 << 61)...(1 << 61)
    /// The length of a video in seconds.
    static let seconds = 0...1e12
    /// How far a clock may be from UTC, in seconds, and what stands for a day without a time.
    static let offset = -CaptureDate.dayAlone...CaptureDate.dayAlone
    /// A title, a name or any other text, in bytes of UTF-8.
    static let text = 64 << 10
    /// The facts about a file, in bytes of JSON: a thousand keywords, and room.
    static let facts = 4 << 20
    /// A recipe, or what a rendition was made from, in bytes.
    static let data = AdjustmentData.allowedSizes.upperBound
    /// How many edits the states of one asset may lead to, all chains taken together.
    static let edits = 1_000_000

    /// Refuses a text that could not be read again.
    ///
    /// - Throws: `LibraryError` with `invalidRequest`.
    static func requireStorable(_ value: String?, _ name: String) throws {
        guard let value, value.utf8.count > text else { return }
        throw LibraryError(
            .invalidRequest, "\(name) has \(value.utf8.count) bytes; the limit is \(text)")
    }
}

extension Row {
    /// When a photograph was taken, and the offset of the clock at another place.
    func captureDate(_ index: Int, offset: Int) throws -> CaptureDate? {
        let clock = try clockOffset(offset)
        guard let moment = try value(index, as: Int64?.self) else { return nil }
        guard Date.storable.contains(moment) else { throw damage(at: index) }
        return CaptureDate(microseconds: moment, storedOffset: clock)
    }

    /// The offset of a clock from UTC in seconds.
    func clockOffset(_ index: Int) throws -> Int? {
        guard let offset = try value(index, as: Int?.self) else { return nil }
        guard Limits.offset.contains(offset) else { throw damage(at: index) }
        return offset
    }

    /// The time of a file, which may be any: one that cannot be written is none.
    func fileDate(_ index: Int) throws -> Date? {
        guard let time = try value(index, as: Int64?.self), Date.storable.contains(time) else {
            return nil
        }
        return Date(microseconds: time)
    }

    /// A position, by the places of its latitude and its longitude.
    func location(_ latitude: Int, _ longitude: Int) throws -> Location? {
        switch (try value(latitude, as: Double?.self), try value(longitude, as: Double?.self)) {
        case (nil, nil): return nil
        case (let north?, let east?):
            guard let location = Location(latitude: north, longitude: east) else {
                throw damage(at: latitude)
            }
            return location
        default: throw damage(at: latitude)
        }
    }
}
