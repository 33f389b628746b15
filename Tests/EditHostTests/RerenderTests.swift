// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Re-rendering from stored recipes.
@Suite("re-rendering")
struct RerenderTests {
    private func rerender(
        _ studio: TestStudio, _ assets: [String], host: ExtensionHost? = nil, force: Bool = false,
        dryRun: Bool = false
    ) async throws -> [RerenderResult] {
        let results = Mutex<[RerenderResult]>([])
        try await (host ?? studio.host).rerender(
            assets, in: studio.library, force: force, dryRun: dryRun, jobs: 2
        ) { result in results.withLock { $0.append(result) } }
        return results.withLock { $0 }
    }

    @Test("M-08 C-05 renditions are re-rendered byte for byte")
    func byteForByte() async throws {
        let studio = try TestStudio()
        let jpeg = try TestPicture.gradient(width: 90, height: 70).encoded("jpeg")
        let assets = [
            try await studio.add(.gradient()), try await studio.add(jpeg, named: "a.jpg"),
        ]
        for asset in assets { try await studio.edit(asset, "adder", ["amount": "12"]) }
        let before = try assets.map { try studio.currentBytes($0) }
        let dates = try assets.map {
            try studio.library.asset(withLocalIdentifier: $0).modificationDate
        }

        let idle = try await rerender(studio, assets)
        #expect(idle.map(\.status) == [.upToDate, .upToDate])
        let forced = try await rerender(studio, assets, force: true)
        #expect(forced.map(\.status) == [.rendered, .rendered])
        #expect(forced.map(\.reason) == ["forced", "forced"])
        #expect(try assets.map { try studio.currentBytes($0) } == before)
        #expect(
            try assets.map { try studio.library.asset(withLocalIdentifier: $0).modificationDate }
                == dates)
        await studio.host.shutDown()
    }

    @Test("an abandoned claim delays rerender by a bounded time")
    func boundedClaims() async throws {
        let studio = try TestStudio(configure: { $0.claimLimits.picture = .milliseconds(200) })
        let assets = [
            try await studio.add(.gradient()), try await studio.add(.gradient(seed: 1)),
            try await studio.add(.gradient(seed: 2)),
        ]
        for asset in assets { try await studio.edit(asset, "adder", ["amount": "12"]) }
        let before = try assets.map { try studio.currentBytes($0) }
        // These claims are held as by a stopped process.
        let claims = try AssetClaims(studio.library)
        let claimed = [try #require(claims.take(assets[0])), try #require(claims.take(assets[2]))]
        let results = try await rerender(studio, assets, force: true)
        #expect(results.map(\.status) == [.rendered, .rendered, .rendered])
        #expect(Set(results.map(\.assetIdentifier)) == Set(assets))
        #expect(try assets.map { try studio.currentBytes($0) } == before)
        #expect(claims.take(assets[1]) != nil)
        withExtendedLifetime(claimed) {}
        // A later commit by the other process changes nothing.
        let late = try await rerender(studio, assets, host: studio.otherHost(), force: true)
        #expect(late.map(\.status) == [.rendered, .rendered, .rendered])
        #expect(try assets.map { try studio.currentBytes($0) } == before)
        await studio.host.shutDown()
    }

    @Test("M-08 another build of an extension makes its renditions stale and is reported")
    func otherBuild() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset)
        try FileManager.default.removeItem(atPath: "\(studio.extensions)/adder.editingextension")
        try TestExtension.buildAdder(defines: ["RECORD"], in: studio.extensions)
        let host = try studio.otherHost()
        let planned = try await rerender(studio, [asset], host: host, dryRun: true)
        #expect(planned.map(\.status) == [.stale])
        #expect(planned[0].reason == "another build of org.example.adder is installed")
        let done = try await rerender(studio, [asset], host: host)
        #expect(done.map(\.status) == [.rendered])
        #expect(try await rerender(studio, [asset], host: host).map(\.status) == [.upToDate])
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("M-08 photos that cannot be re-rendered are reported with the reason")
    func missingExtension() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
        }
        let picture = TestPicture.gradient()
        let assets = [try await studio.add(picture), try await studio.add(.gradient(seed: 3))]
        try await studio.edit(assets[0], "adder", ["amount": "30"])
        try await studio.edit(assets[1], "other", ["amount": "7"])
        let before = try studio.currentBytes(assets[0])
        try FileManager.default.removeItem(atPath: "\(studio.extensions)/adder.editingextension")
        let host = try studio.otherHost()
        let results = try await rerender(studio, assets, host: host, force: true)
        #expect(results.map(\.status) == [.failed, .rendered])
        #expect(results[0].reason.contains("org.example.adder is not installed"))
        #expect(try studio.currentBytes(assets[0]) == before)

        // An edit on top starts from the stored result of the edit that cannot be run.
        let result = try await host.edit(
            [assets[0]], EditRequest(extensionName: "other", values: ["amount": "3"]),
            in: studio.library)
        #expect(result[0].input == .current)
        #expect(try studio.current(assets[0]) == picture.adding(33))
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test(
        "M-08 a rendition is not replaced by an encoded one if a lower extension is missing"
    )
    func missingLowerExtension() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
        }
        let jpeg = try TestPicture.gradient(width: 90, height: 70).encoded("jpeg")
        let asset = try await studio.add(jpeg, named: "a.jpg")
        try await studio.edit(asset, "adder", ["amount": "30"])
        try await studio.edit(asset, "other", ["amount": "7"])
        let before = try studio.currentBytes(asset)
        let adder = "\(studio.extensions)/adder.editingextension"
        try FileManager.default.moveItem(atPath: adder, toPath: studio.folder.file("away"))
        let host = try studio.otherHost()
        for force in [false, true] {
            let results = try await rerender(studio, [asset], host: host, force: force)
            #expect(results.map(\.status) == [.failed])
            #expect(results[0].reason.contains("org.example.adder is not installed"))
        }
        #expect(try studio.currentBytes(asset) == before)
        // If nothing better is left, rendering starts from the stored result below.
        let blob = try #require(
            try studio.library.history(ofAsset: asset).chain.last?.current?.blob)
        try FileManager.default.removeItem(atPath: studio.blobPath(blob))
        #expect(try await rerender(studio, [asset], host: host).map(\.status) == [.rendered])
        #expect(try await rerender(studio, [asset], host: host).map(\.status) == [.upToDate])

        try FileManager.default.moveItem(atPath: studio.folder.file("away"), toPath: adder)
        let later = try studio.otherHost()
        #expect(try await rerender(studio, [asset], host: later).map(\.status) == [.rendered])
        #expect(try studio.currentBytes(asset) == before)
        for host in [later, host, studio.host] { await host.shutDown() }
    }

    @Test("a lost rendition is rendered for an export, and import restores a lost original")
    func lostFiles() async throws {
        let studio = try TestStudio()
        let bytes = try TestPicture.gradient().encoded()
        let asset = try await studio.add(bytes)
        try await studio.edit(asset, "adder", ["amount": "12"])
        let before = try studio.currentBytes(asset)
        let history = try studio.library.history(ofAsset: asset)
        let rendition = try #require(history.chain.last?.current?.blob)
        try FileManager.default.removeItem(atPath: studio.blobPath(rendition))
        let path = try await studio.host.export(
            asset, from: studio.library, to: studio.folder.file("out"), ExportOptions())
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try await rerender(studio, [asset]).map(\.reason) == ["its file is missing"])

        let original = try #require(history.original?.blob)
        try FileManager.default.removeItem(atPath: studio.blobPath(original))
        #expect(try studio.library.check().severity == .damage)
        #expect(try await studio.add(bytes) == asset)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("one run renders the stored results of several steps, each from the one below")
    func severalBases() async throws {
        let names = ["org.example.adder", "org.example.other"]
        func build(_ defines: [String], in folder: String) throws {
            for name in names {
                try TestExtension.buildAdder(
                    name, defines: defines, manifest: ["expensive": true], in: folder)
            }
        }
        let studio = try TestStudio { try build([], in: $0) }
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "30"])
        try await studio.edit(asset, "other", ["amount": "7"])
        try build(["DRAWS_ELSE"], in: studio.extensions)
        let host = try studio.otherHost()
        #expect(try await rerender(studio, [asset], host: host).map(\.status) == [.rendered])
        #expect(try studio.current(asset) == picture.adding(31).adding(8))
        #expect(try await rerender(studio, [asset], host: host).map(\.status) == [.upToDate])
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("the output of an expensive extension is stored, and later edits start from it")
    func expensive() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(manifest: ["expensive": true], in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
        }
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "30"])
        let edit = try #require(try studio.library.history(ofAsset: asset).chain.last)
        #expect(edit.base != nil)
        #expect(try studio.current(asset) == picture.adding(30))
        #expect(try await rerender(studio, [asset]).map(\.status) == [.upToDate])
        try FileManager.default.removeItem(atPath: "\(studio.extensions)/adder.editingextension")
        let host = try studio.otherHost()
        try await host.edit(
            [asset], EditRequest(extensionName: "other", values: ["amount": "5"]),
            in: studio.library)
        #expect(try studio.current(asset) == picture.adding(35))
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("undo to a state with a pruned rendition re-renders it")
    func undoPruned() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "30"])
        try await studio.edit(asset, "adder", ["amount": "40"])
        let move = try await studio.host.undo(asset, in: studio.library)
        #expect(move.hasChanged)
        #expect(try studio.current(asset) == picture.adding(30))
        let redone = try await studio.host.redo(asset, in: studio.library)
        #expect(redone.hasChanged)
        #expect(try studio.current(asset) == picture.adding(40))
        let reverted = try await studio.host.revert([asset], in: studio.library)
        #expect(reverted[0].hasChanged)
        #expect(try studio.current(asset) == picture)
        await studio.host.shutDown()
    }
}
