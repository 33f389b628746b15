// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB

/// The limits of values in a library, which make integer overflow impossible. They are far beyond
/// any realistic library.
enum StoredValueLimits {
    /// The width or height of an image. Width times height times eight bytes fits into an integer.
    static let pixels = 0...1_000_000_000
    /// The size of a file in bytes.
    static let bytes = 1...(1 << 50)
    /// The number of states, edits and other counted objects.
    static let counts = 0...(1 << 40)
    /// The rank that orders the members of an album or the contents of a folder.
    static let ranks: ClosedRange<Int64> = -(1 << 61)...(1 << 61)
    /// The duration of a video in seconds.
    static let seconds = 0...1e12
    /// The offset of a clock from UTC in seconds. The bounds stand for a date without a time.
    static let offset = -CaptureDate.dayAlone...CaptureDate.dayAlone
    /// The length of a title, a name or any other text, in bytes of UTF-8.
    static let text = 64 << 10
    /// The length of the path of a folder in bytes, as that of Linux.
    static let path = 4096
    /// The length of a file's facts, in bytes of JSON: enough for a thousand keywords and more.
    static let facts = 4 << 20
    /// The size of a recipe or of a rendition's inputs, in bytes.
    static let data = AdjustmentData.allowedSizes.upperBound
    /// The number of edits in all chains of one asset together.
    static let edits = 1_000_000

    /// Rejects a text that could not be read back.
    ///
    /// - Throws: `LibraryError` with `invalidRequest`.
    static func requireStorable(_ value: String?, _ name: String) throws {
        guard let value, value.utf8.count > text else { return }
        throw LibraryError(
            .invalidRequest, "\(name) has \(value.utf8.count) bytes; the limit is \(text)")
    }

    /// Rejects a title of an album or folder that could not be stored.
    ///
    /// - Throws: `LibraryError` with `invalidRequest`.
    static func requireStorable(title: String) throws {
        guard !title.isEmpty, !title.utf8.contains(0) else {
            throw LibraryError(
                .invalidRequest, "a title must have at least one character, and no NUL")
        }
        try requireStorable(title, "the title")
    }
}

extension StoredValueLimits {
    /// Whether a text is the relative path of a folder. Its components are not empty, `.` or `..`.
    static func isFolder(_ text: String) -> Bool {
        // Reading many assets must not make strings of the components.
        let components = text.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return !text.utf8.contains(0) && (text.utf8.count <= path || text.pathBytes.count <= path)
            && components.allSatisfy { component in
                !component.isEmpty && !component.elementsEqual(".".utf8)
                    && !component.elementsEqual("..".utf8)
            }
    }
}

extension Row {
    /// Returns the relative path of a folder.
    func folder(_ index: Int) throws -> String? {
        guard let folder = try value(index, as: String?.self) else { return nil }
        guard StoredValueLimits.isFolder(folder) else { throw damage(at: index) }
        return folder
    }

    /// Returns a date of capture and the offset of its clock, from two columns.
    func captureDate(_ index: Int, offset: Int) throws -> CaptureDate? {
        let clock = try clockOffset(offset)
        guard let moment = try value(index, as: Int64?.self) else { return nil }
        guard Date.storable.contains(moment) else { throw damage(at: index) }
        return CaptureDate(microseconds: moment, storedOffset: clock)
    }

    /// Returns the offset of a clock from UTC in seconds.
    func clockOffset(_ index: Int) throws -> Int? {
        guard let offset = try value(index, as: Int?.self) else { return nil }
        guard StoredValueLimits.offset.contains(offset) else { throw damage(at: index) }
        return offset
    }

    /// Returns the modification date of a file, which can be arbitrary. A date out of range
    /// is treated as missing.
    func fileDate(_ index: Int) throws -> Date? {
        guard let time = try value(index, as: Int64?.self), Date.storable.contains(time) else {
            return nil
        }
        return Date(microseconds: time)
    }

    /// Returns a location from the columns of its latitude and longitude.
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
