// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHostCommand

@Suite("sources of an extension")
struct SourceFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func source(make recipe: String, except output: String = "/") throws -> SourceFolder {
        try folder.write(Data("all:\n\t@\(recipe)\n".utf8), to: "Makefile")
        return try SourceFolder(of: folder.path, except: output)
    }

    @Test(
        "files that make writes are no changes",
        arguments: ["echo run >> log.txt", "test -e log.txt || echo run > log.txt"])
    func madeFiles(recipe: String) async throws {
        let source = try source(make: recipe)
        var state: [String: SourceFolder.Stamp] = [:]
        try await source.build(&state)
        #expect(state["log.txt"] != nil)
        #expect(source.state == state)
        try folder.write(Data("int x;".utf8), to: "new.c")
        #expect(source.state != state)
    }

    @Test("a make that writes files and fails is run again only after a change")
    func failure() async throws {
        let source = try source(make: "echo run >> log.txt; false")
        var state: [String: SourceFolder.Stamp] = [:]
        await #expect(throws: (any Error).self) { try await source.build(&state) }
        #expect(state["log.txt"] != nil)
        #expect(source.state == state)
    }

    @Test("the output file is no source, whatever its path is")
    func output() throws {
        let other = try TemporaryFolder()
        let link = other.file("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: folder.path)
        let source = try source(make: "true", except: "\(link)/out.png")
        let before = source.state
        for text in ["first", "second"] {
            // Atomic, so each time it is another file.
            try Data(text.utf8).write(
                to: URL(fileURLWithPath: folder.file("out.png")), options: .atomic)
            #expect(source.state == before)
        }
    }
}
