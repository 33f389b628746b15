// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Conversions of edits that can no longer be rendered.
@Suite("exports from stored renditions")
struct StoredExportTests {
    @Test(
        "after prune and removal of extensions, a conversion uses the stored rendition",
        arguments: [["first"], ["second"], ["first", "second"]])
    func removed(names: [String]) async throws {
        let studio = try TestStudio {
            for name in ["first", "second"] {
                try TestExtension.buildAdder("org.example.\(name)", in: $0)
            }
        }
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "first", ["amount": "10"])
        try await studio.edit(asset, "second", ["amount": "20"])
        let pruned = try studio.host.prune(studio.library)
        #expect(pruned.renditionCount == 1)
        await studio.host.shutDown()
        for name in names {
            try FileManager.default.removeItem(
                atPath: "\(studio.extensions)/\(name).editingextension")
        }
        let host = try studio.otherHost()
        for version in [ExportOptions.Version.current, .unadjusted] {
            var options = ExportOptions()
            options.version = version
            options.format = .tiff
            let path = try await host.export(
                asset, from: studio.library, to: studio.folder.file("out"), options)
            let exported = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(exported == (version == .current ? picture.adding(30) : picture))
        }
        await host.shutDown()
    }

    @Test("an extension with a truncated library is unusable")
    func truncated() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "10"])
        await studio.host.shutDown()
        let folder = try #require(
            try FileManager.default.contentsOfDirectory(atPath: studio.extensions).first)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: "\(studio.extensions)/\(folder)")
                .first { $0.hasSuffix(".so") })
        let path = "\(studio.extensions)/\(folder)/\(name)"
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for count in [whole.count / 2, 100, 63, 4, 0] {
            try whole.prefix(count).write(to: URL(fileURLWithPath: path))
            let host = try studio.otherHost(trusted: false)
            var options = ExportOptions()
            options.format = .tiff
            let out = try await host.export(
                asset, from: studio.library, to: studio.folder.file("out-\(count)"), options)
            let exported = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: out)))
            #expect(exported == picture.adding(10))
            for isDry in [true, false] {
                let results = Mutex<[RerenderResult]>([])
                try await host.rerender([asset], in: studio.library, dryRun: isDry, jobs: 1) {
                    result in results.withLock { $0.append(result) }
                }
                let all = results.withLock { $0 }
                #expect(all.map(\.status) == [.failed])
                let words = all.first.map { "\($0.error.map { "\($0)" } ?? "")" } ?? ""
                #expect(words.contains("is truncated"), "\(words)")
            }
            let found = try #require(host.extensions.catalogue.all.first)
            #expect(host.extensions.examined(found).status == .unusable)
            #expect(host.extensions.examined(found).reason?.contains("is truncated") == true)
            await host.shutDown()
        }
    }

    @Test(
        "an application's output is the base for the edits above it, instead of their renditions")
    func application() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(
            TestPicture.gradient(width: 32, height: 32).encoded("jpeg"), named: "a.jpg")
        let flat = TestPicture.gradient(width: 32, height: 32).mapped { _ in 100 }
        try await studio.apply(flat.encoded("jpeg"), as: .jpeg, to: asset)
        try await studio.edit(asset, "adder", ["amount": "30"])
        let tip = try #require(try studio.library.history(ofAsset: asset).chain.last?.current)
        try FileManager.default.removeItem(atPath: studio.blobPath(tip.blob))
        var options = ExportOptions()
        options.format = .png
        let path = try await studio.host.export(
            asset, from: studio.library, to: studio.folder.file("out"), options)
        let exported = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(try #require(exported.largestDifference(from: flat.adding(30))) < 3)
        await studio.host.shutDown()
    }
}
