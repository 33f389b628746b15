// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Hashing
import LibraryTestSupport
import Testing

@testable import Library

/// The table of rejected files.
@Suite("the table of rejected files")
struct RejectedFileStoreTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    private func file(
        _ name: String, ending: String = "jpg", version: String = "1", reason: String = "cut"
    ) -> RejectedFile {
        RejectedFile(
            hash: SHA256Digest(bytes: SHA256.hash(data: Data(name.utf8))),
            filenameExtension: ending, byteCount: name.utf8.count, path: name, code: "badInput",
            reason: reason, date: Date(timeIntervalSince1970: 1_700_000_000), version: version)
    }

    private func remember(
        _ files: [RejectedFile], forgetting hashes: Set<SHA256Digest> = [], limit: Int = 10
    ) async throws -> Int {
        try await library.remember(rejected: files, forgetting: hashes, limit: limit)
    }

    @Test("files are stored by contents and filename extension, replaced and forgotten")
    func stored() async throws {
        let (one, two) = (file("one"), file("two/\u{10FEE9}"))
        #expect(try await remember([two, one, file("one", ending: "raf")]) == 0)
        let other = file("one", ending: "raf")
        #expect(try library.rejectedFiles().map(\.path) == ["one", "one", "two/\u{10FEE9}"])
        #expect(try library.rejectedFile(withHash: one.hash, filenameExtension: "jpg") == one)
        #expect(try library.rejectedFile(withHash: one.hash, filenameExtension: "png") == nil)
        #expect(try library.hasRejectedFile(ofSize: 3))
        #expect(try !library.hasRejectedFile(ofSize: 4))
        let again = file("one", version: "2", reason: String(repeating: "é", count: 5000))
        #expect(try await remember([again], forgetting: [two.hash]) == 0)
        let found = try library.rejectedFiles()
        #expect(found.count == 2 && found.contains(other))
        #expect(found.contains { $0.version == "2" && $0.reason.utf8.count == 1024 })
        #expect(try library.check().severity == .clean)
        // It is no change that observers have to see.
        #expect(try library.currentChangeToken.number == 0)
    }

    @Test("further files are not remembered; those of other versions make room")
    func limit() async throws {
        let old = (0..<3).map { file("old \($0)") }
        #expect(try await remember(old, limit: 3) == 0)
        #expect(try await remember([file("a")] + old, limit: 3) == 1)
        #expect(try library.rejectedFiles() == old)
        let new = (0..<4).map { file("new \($0)", version: "2") }
        #expect(try await remember(new, limit: 3) == 1)
        #expect(try library.rejectedFiles() == Array(new.prefix(3)))
        #expect(
            try await remember([file(String(repeating: "x", count: 70_000))], limit: 10) == 1)
    }

    @Test("a library of the version before has none, and its upgraded copy can be read")
    func older() throws {
        try library.close()
        try OldLibrary.downgrade(temporary.path, to: 15)
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        options.copiesOlderFormats = true
        let copy = try temporary.reopen(options)
        #expect(try copy.rejectedFiles() == [])
        try copy.close()
        let upgraded = try temporary.reopen()
        #expect(try upgraded.rejectedFiles() == [])
        #expect(try upgraded.check().severity == .clean)
    }

    @Test("twenty thousand files are stored and found quickly", .timeLimit(.minutes(1)))
    func many() async throws {
        let files = (0..<20_000).map { file("file \($0)") }
        #expect(try await remember(files, limit: .max) == 0)
        for file in files.prefix(1000) {
            #expect(try library.hasRejectedFile(ofSize: file.byteCount))
            #expect(
                try library.rejectedFile(withHash: file.hash, filenameExtension: "jpg") == file)
        }
    }
}
