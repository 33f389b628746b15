// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// The inputs of an extension, and the use of its output.
@Suite("edit chains")
struct ChainTests {
    /// Builds the adder, and one that writes its own format and cannot read the adder's.
    private static func adderAndOther(_ folder: String) throws {
        try TestExtension.buildAdder(in: folder)
        try TestExtension.buildAdder("org.example.other", in: folder)
    }

    @Test("A-07 C-06 M-04 reopening an edit gives the plug-in its own previous input")
    func reopening() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "50"])
        #expect(try studio.current(asset) == picture.adding(50))
        let stored = try studio.library.history(ofAsset: asset).chain.last?.adjustmentData

        let again = try await studio.edit(asset, "adder", ["amount": "20"])
        #expect(again.input == .original)
        // An input with the previous edit would give 70.
        #expect(try studio.current(asset) == picture.adding(20))
        #expect(stored.map { String(decoding: $0.data, as: UTF8.self) } == "50 plain")
        #expect(try studio.library.history(ofAsset: asset).chain.count == 1)
        await studio.host.shutDown()
    }

    @Test("A-08 C-06 M-04 an extension that cannot handle the recipe gets the current version")
    func unreadable() async throws {
        let studio = try TestStudio(extensions: Self.adderAndOther)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "30"])
        let second = try await studio.edit(asset, "other", ["amount": "7"])
        #expect(second.input == .current)
        #expect(try studio.current(asset) == picture.adding(30).adding(7))

        let third = try await studio.edit(asset, "adder", ["amount": "4"])
        #expect(third.input == .current)
        #expect(try studio.current(asset) == picture.adding(30).adding(7).adding(4))
        #expect(try studio.library.history(ofAsset: asset).chain.count == 3)
        await studio.host.shutDown()
    }

    @Test("A-09 C-08 canHandle is not called for the first edit, and before start for later ones")
    func callOrder() async throws {
        let studio = try TestStudio { try TestExtension.buildAdder(defines: ["RECORD"], in: $0) }
        let asset = try await studio.add(.gradient())
        let first = try await studio.edit(asset)
        #expect(first.input == .original)
        #expect(try studio.recipe(asset) == "10 plain create start finish ")
        try await studio.edit(asset, "adder", ["amount": "11"])
        #expect(
            try studio.recipe(asset) == "11 plain create canHandle start setParameters finish ")
        await studio.host.shutDown()
    }

    @Test("C-04 another extension that reads the format resumes the edit")
    func resumedByAnother() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder(
                "org.example.heir",
                defines: ["FORMAT=\"org.example.adder\"", "READS=\"org.example.adder\""], in: $0)
        }
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "40"])
        let second = try await studio.edit(asset, "heir", ["amount": "3"])
        #expect(second.input == .original)
        #expect(try studio.current(asset) == picture.adding(3))
        let chain = try studio.library.history(ofAsset: asset).chain
        #expect(chain.map { $0.editingExtension?.identifier } == ["org.example.heir"])
        await studio.host.shutDown()
    }

    @Test("C-04 a library copied elsewhere resumes")
    func resumedElsewhere() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "40"])
        try studio.library.close()
        try FileManager.default.copyItem(
            atPath: studio.folder.file("Test.editlibrary"),
            toPath: studio.folder.file("Copy.editlibrary"))
        let copy = try PhotoLibrary.open(at: studio.folder.file("Copy.editlibrary"))
        let result = try await studio.host.edit(
            [asset], EditRequest(extensionName: "adder", values: ["amount": "6"]), in: copy)
        #expect(result[0].input == .original)
        let chain = try copy.history(ofAsset: asset).chain
        #expect(chain.count == 1)
        await studio.host.shutDown()
    }

    @Test("A-06 C-05 K-11 original, previous, current and recipe can be read back")
    func threeVersions() async throws {
        let studio = try TestStudio(extensions: Self.adderAndOther)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "30"])
        try await studio.edit(asset, "other", ["amount": "7"])
        let previous = try await studio.host.previousVersion(of: asset, in: studio.library)
        let bytes = try previous.read(count: previous.byteCount())
        #expect(try TestPicture(decoding: bytes) == picture.adding(30))
        #expect(try studio.current(asset) == picture.adding(37))
        #expect(try studio.recipe(asset) == "7 plain")
        #expect(
            try studio.library.history(ofAsset: asset).original?.originalFilename == "picture.png")
        await studio.host.shutDown()
    }

    @Test("K-08 an edit that changes nothing commits nothing")
    func unchanged() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["amount": "30"])
        let token = try studio.library.currentChangeToken
        let again = try await studio.edit(asset)
        #expect(again.status == .unchanged)
        #expect(try studio.library.currentChangeToken == token)
        await studio.host.shutDown()
    }

    @Test("unnamed parameters keep the recipe's values; a reset restores the defaults")
    func keptValues() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["amount": "30", "mode": "later"])
        try await studio.edit(asset, "adder", ["amount": "31"])
        #expect(try studio.recipe(asset) == "31 later")
        try await studio.edit(asset, "adder", ["amount": "32"], reset: true)
        #expect(try studio.recipe(asset) == "32 plain")
        await studio.host.shutDown()
    }

    @Test("any edit can be reopened, and the edits above it are re-rendered")
    func reopeningLower() async throws {
        let studio = try TestStudio(extensions: Self.adderAndOther)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "30"])
        try await studio.edit(asset, "other", ["amount": "7"])
        let reopened = try await studio.edit(asset, "adder", ["amount": "1"], step: 1)
        #expect(reopened.input == .original)
        #expect(try studio.current(asset) == picture.adding(8))
        #expect(try studio.library.history(ofAsset: asset).chain.count == 2)
        let undone = try await studio.host.undo(asset, in: studio.library)
        #expect(undone.hasChanged)
        #expect(try studio.current(asset) == picture.adding(37))
        await studio.host.shutDown()
    }

    @Test("the reported edit is the reopened one, not the last")
    func reopenedIdentifier() async throws {
        let studio = try TestStudio(extensions: Self.adderAndOther)
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["amount": "30"])
        try await studio.edit(asset, "other", ["amount": "7"])
        let result = try await studio.edit(asset, "adder", ["amount": "5"], step: 1)
        let chain = try studio.library.history(ofAsset: asset).chain
        #expect(result.editIdentifier == chain.first?.identifier)
        #expect(result.rendition == chain.last?.current?.blob)
        await studio.host.shutDown()
    }

    @Test("concurrent edits that each need a second runner do not deadlock")
    func reopenedAtOnce() async throws {
        let studio = try TestStudio(extensions: Self.adderAndOther)
        let picture = TestPicture.gradient()
        var assets: [String] = []
        for seed in 0..<4 {
            let asset = try await studio.add(.gradient(seed: seed))
            try await studio.edit(asset, "adder", ["amount": "30"])
            try await studio.edit(asset, "other", ["amount": "7"])
            assets.append(asset)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for asset in assets {
                group.addTask { try await studio.edit(asset, "adder", ["amount": "5"], step: 1) }
            }
            try await group.waitForAll()
        }
        #expect(try studio.current(assets[0]) == picture.adding(12))
        await studio.host.shutDown()
    }

    @Test("C-20 an extension that finishes without output commits nothing")
    func discarded() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let result = try await studio.edit(asset, "adder", ["mode": "discard"])
        #expect(result.status == .unchanged)
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        await studio.host.shutDown()
    }
}
