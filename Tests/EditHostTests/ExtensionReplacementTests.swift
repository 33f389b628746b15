// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing

/// Edits of an extension that another one takes over.
@Suite("replaced extensions")
struct ExtensionReplacementTests {
    private static let old = "org.example.adder"
    private static let heir = "org.example.heir"

    /// A studio with the extension, the one that takes over its recipes, and an unrelated one.
    private func studio(upgrading: Bool) throws -> TestStudio {
        try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
            let formats: [[String: Any]] = [["formatIdentifier": Self.old]]
            let own: [[String: Any]] = [["formatIdentifier": Self.heir]]
            try TestExtension.buildAdder(
                Self.heir,
                defines: ["READS=\"\(Self.old)\""] + (upgrading ? ["ALWAYS"] : []),
                manifest: upgrading
                    ? ["reads": own, "upgrades": formats]
                    : ["reads": formats], in: $0)
        }
    }

    private func authors(_ studio: TestStudio, _ asset: String) throws -> [String?] {
        try studio.library.history(ofAsset: asset).chain.map { $0.editingExtension?.identifier }
    }

    private func formats(_ studio: TestStudio, _ asset: String) throws -> [String] {
        try studio.library.history(ofAsset: asset).chain.map(\.adjustmentData.formatIdentifier)
    }

    @Test(
        "C-04 another extension takes over all edits of a missing one, as one undoable change",
        arguments: [false, true])
    func replaced(upgrading: Bool) async throws {
        let studio = try studio(upgrading: upgrading)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "40"])
        try await studio.edit(asset, "other", ["amount": "3"])
        try await studio.edit(asset, "adder", ["amount": "2"])
        let before = try studio.library.history(ofAsset: asset).chain
        try FileManager.default.removeItem(
            atPath: studio.folder.file("extensions") + "/adder.editingextension")
        let host = try studio.otherHost()
        let results = try await host.applyEdits(
            of: .edits(by: Self.old, takenBy: "heir"), to: [asset], in: studio.library)
        #expect(results.map(\.hasChanged) == [true])
        #expect(try authors(studio, asset) == [Self.heir, "org.example.other", Self.heir])
        let written = upgrading ? Self.heir : Self.old
        #expect(try formats(studio, asset) == [written, "org.example.other", written])
        #expect(try studio.current(asset) == picture.adding(45))
        // Undo restores the old recipes, and the new ones can be continued.
        let undone = try await host.undo(asset, in: studio.library)
        #expect(undone.history.chain.map(\.adjustmentData) == before.map(\.adjustmentData))
        #expect(try authors(studio, asset).first == Self.old)
        _ = try await host.redo(asset, in: studio.library)
        let continued = try await host.edit(
            [asset], EditRequest(extensionName: "heir", values: ["amount": "5"]),
            in: studio.library)
        #expect(continued[0].input == .previous)
        #expect(try studio.current(asset) == picture.adding(48))
        let again = try await host.applyEdits(
            of: .edits(by: Self.old, takenBy: "heir"), to: [asset], in: studio.library)
        #expect(again.map(\.hasChanged) == [false])
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test(
        "if another version cannot read the recipe, export and edit use the stored picture"
    )
    func otherVersion() async throws {
        let studio = try studio(upgrading: false)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "40"])
        let formats: [[String: Any]] = [["formatIdentifier": "org.example.adder.new"]]
        try TestExtension.buildAdder(
            defines: ["READS=\"org.example.adder.new\""],
            manifest: ["reads": formats, "writes": formats],
            in: studio.folder.file("extensions"))
        let host = try studio.otherHost()
        var failed: [String] = []
        try await host.rerender([asset], in: studio.library, dryRun: true, jobs: 1) {
            if $0.status == .failed { failed.append($0.reason) }
        }
        #expect(
            failed.count == 1 && failed.first?.contains("extensions replace") == true, "\(failed)")
        var options = ExportOptions()
        options.format = .tiff
        let exported = try await host.export(
            asset, from: studio.library, to: studio.folder.file("exported"),
            options)
        #expect(!exported.isEmpty)
        _ = try await host.edit(
            [asset], EditRequest(extensionName: "other", values: ["amount": "3"]),
            in: studio.library)
        #expect(try studio.current(asset) == picture.adding(43))
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("an installed but unusable extension is not reported as missing")
    func unusable() async throws {
        let studio = try studio(upgrading: false)
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["amount": "40"])
        try FileManager.default.removeItem(
            atPath: studio.folder.file("extensions") + "/adder.editingextension/libadder.so")
        let host = try studio.otherHost()
        var reason = ""
        try await host.rerender([asset], in: studio.library, dryRun: true, jobs: 1) {
            reason = $0.reason
        }
        #expect(reason.contains("its library libadder.so is missing"), "\(reason)")
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("replacement includes disabled edits and Live Photos without motion")
    func alongside() async throws {
        let studio = try studio(upgrading: false)
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["amount": "40"])
        try await studio.edit(asset, "other", ["amount": "3"])
        _ = try await studio.host.setEdits(
            at: [1], of: asset, enabled: false, in: studio.library)
        let (still, motion) = (studio.folder.file("a.jpg"), studio.folder.file("a.mov"))
        let identifier = UUID().uuidString
        try TestLivePhoto.makeStill(still, identifier)
        try TestLivePhoto.makeVideo(motion, identifier)
        var found: String?
        try await studio.host.importPhotos(at: [still, motion], into: studio.library) {
            found = $0.assetIdentifier
        }
        let live = try #require(found)
        var request = EditRequest(extensionName: "adder", values: ["amount": "5"])
        request.stillOnly = true
        _ = try await studio.host.edit([live], request, in: studio.library)
        let results = try await studio.host.applyEdits(
            of: .edits(by: Self.old, takenBy: "heir"), to: [asset, live], in: studio.library)
        #expect(results.map(\.hasChanged) == [true, true])
        #expect(try authors(studio, asset) == [Self.heir, "org.example.other"])
        #expect(results[0].history.chain.map(\.isEnabled) == [false, true])
        #expect(try authors(studio, live) == [Self.heir])
        #expect(!results[1].history.hasMotion)
        #expect(try studio.current(asset) == TestPicture.gradient().adding(3))
        await studio.host.shutDown()
    }

    @Test("recipes that the other extension rejects are rejected, and nothing changes")
    func refused() async throws {
        let studio = try studio(upgrading: false)
        let picture = TestPicture.gradient()
        let good = try await studio.add(picture)
        try await studio.edit(good, "adder", ["amount": "40"])
        let bad = try await studio.add(TestPicture.gradient().adding(1))
        try await studio.edit(bad, "other", ["amount": "4"])
        let error = await #expect(throws: HostError.self) {
            try await studio.host.applyEdits(
                of: .edits(by: "org.example.other", takenBy: "heir"), to: [good, bad],
                in: studio.library)
        }
        #expect(error?.code == .cannotRender && error?.assetIdentifier == bad)
        #expect(
            error?.message.contains("org.example.other 1.0") == true, "\(String(describing: error))"
        )
        #expect(try authors(studio, bad) == ["org.example.other"])
        // Assets are replaced independently of each other.
        try await studio.edit(bad, "adder", ["amount": "1"])
        var outcomes: [Bool] = []
        try await studio.host.applyEditsToEach(
            of: .edits(by: Self.old, takenBy: "heir"), to: [bad, good], in: studio.library
        ) { _, result in outcomes.append((try? result.get().hasChanged) ?? false) }
        #expect(outcomes == [true, true])
        #expect(try authors(studio, bad) == ["org.example.other", Self.heir])
        #expect(try studio.current(good) == picture.adding(40))
        await studio.host.shutDown()
    }

    @Test(
        "an extension upgrades its own older recipes if its manifest declares it"
    )
    func upgraded() async throws {
        // The same extension in two builds: the first writes another format.
        let studio = try TestStudio {
            try TestExtension.buildAdder(
                Self.heir, defines: ["FORMAT=\"\(Self.old)\""], in: $0)
        }
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "heir", ["amount": "40"])
        let folder = studio.folder.file("extensions")
        try FileManager.default.removeItem(atPath: "\(folder)/heir.editingextension")
        try TestExtension.buildAdder(
            Self.heir, defines: ["READS=\"\(Self.old)\"", "ALWAYS"],
            manifest: [
                "reads": [["formatIdentifier": Self.heir]],
                "upgrades": [["formatIdentifier": Self.old]],
            ], in: folder)
        let host = try studio.otherHost()
        let source = EditSource.edits(by: Self.heir, takenBy: Self.heir)
        let results = try await host.applyEdits(of: source, to: [asset], in: studio.library)
        #expect(results.map(\.hasChanged) == [true])
        #expect(try formats(studio, asset) == [Self.heir])
        #expect(try studio.current(asset) == picture.adding(40))
        let again = try await host.applyEdits(of: source, to: [asset], in: studio.library)
        #expect(again.map(\.hasChanged) == [false])
        let undone = try await host.undo(asset, in: studio.library)
        #expect(undone.history.chain.map(\.adjustmentData.formatIdentifier) == [Self.old])
        await host.shutDown()
        await studio.host.shutDown()
    }
}
