// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import Testing

@testable import Library

/// A stored value of another type than requested is damage.
@Suite("stored values")
struct StoredValueTests {
    private let temporary: TemporaryLibrary

    init() throws { temporary = try TemporaryLibrary() }

    private func read<Value: StoredValue>(_ sql: String, as type: Value.Type) throws -> Value? {
        try temporary.library.read { try $0.value("SELECT \(sql)", as: type) }
    }

    private func expectDamage<Value: StoredValue>(
        _ values: [String], as type: Value.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for value in values {
            let error = try libraryError(
                { _ = try read(value, as: type) }, sourceLocation: sourceLocation)
            #expect(error.code == .damaged, "\(value)", sourceLocation: sourceLocation)
        }
    }

    @Test("valid numbers are read, and invalid ones are damage")
    func numbers() throws {
        #expect(try read("-9223372036854775808", as: Int64.self) == .min)
        #expect(try read("NULL", as: Int64?.self) == .some(nil))
        #expect(try read("1", as: Bool.self) == true && read("0", as: Bool.self) == false)
        #expect(try read("1.5", as: Double.self) == 1.5)
        try expectDamage(["NULL", "'1'", "1.0", "x'31'", "9e18", "9e999"], as: Int64.self)
        try expectDamage(["'1'", "1.0", "x''"], as: Int?.self)
        try expectDamage(["2", "-1", "NULL", "'1'"], as: Bool.self)
        try expectDamage(["9e999", "-9e999", "NULL", "1", "'1.5'"], as: Double.self)
    }

    @Test("valid texts and bytes are read, and invalid ones are damage")
    func texts() throws {
        #expect(try read("'a\u{1F30D}'", as: String.self) == "a\u{1F30D}")
        #expect(try read("x''", as: Data.self) == Data())
        #expect(try read("x'00ff'", as: Data.self) == Data([0, 255]))
        try expectDamage(
            ["NULL", "1", "x'61'", "CAST(x'ff' AS TEXT)", "CAST(x'610062' AS TEXT)"],
            as: String.self)
        try expectDamage(["NULL", "'a'", "1"], as: Data.self)
        try expectDamage(["'ab'", "NULL", "x'00'"], as: SHA256Digest.self)
    }

    @Test("valid dates and enumerations are read, and invalid ones are damage")
    func names() throws {
        #expect(try read("1600000000000000", as: Date.self) == Date(timeIntervalSince1970: 1.6e9))
        try expectDamage(
            ["9223372036854775807", "-9223372036854775808", "300000000000000000", "0.5", "NULL"],
            as: Date.self)
        try expectDamage(["17", "-1", "NULL", "'1'"], as: MediaType.self)
        try expectDamage(["'odd'", "NULL", "1"], as: MediaFormat.self)
        try expectDamage(["99", "NULL"], as: AssetResourceType.self)
        #expect(try read("'folder'", as: CollectionKind.self) == .folder)
    }
}
