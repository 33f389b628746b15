// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing
import Vips

@testable import EditHost

/// An extension may remove its output file as soon as its completion has returned.
@Suite("file outputs of extensions")
struct RenderedFileTests {
    private static let removed = ["file-removed", "file-removed-later", "file-replaced"]

    @Test(
        "K-25 C-16 a file removed after the completion has returned is committed")
    func session() async throws {
        for trusted in [true, false] {
            let studio = try TestStudio(trusted: trusted)
            for (index, mode) in Self.removed.enumerated() {
                let asset = try await studio.add(.gradient(seed: index))
                let result = try await studio.edit(asset, "adder", ["amount": "9", "mode": mode])
                #expect(result.status == .committed, "\(mode)")
                #expect(
                    try studio.current(asset)
                        == TestPicture.gradient(seed: index).adding(9), "\(mode)")
            }
            // Until then the file existed.
            let said = studio.log.lines.filter { $0.contains("the file is") }
            #expect(said.count == 2 && said.allSatisfy { $0.contains("there") }, "\(said)")
            await studio.host.shutDown()
        }
    }

    @Test(
        "K-25 a file removed after the completion is committed in rerender and below other edits",
        arguments: removed)
    func jobs(mode: String) async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
        }
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "5"])
        try await studio.edit(asset, "other", ["amount": "9", "mode": mode])
        // Reopening the edit below re-runs the one with the file from its recipe.
        try await studio.edit(asset, "adder", ["amount": "6"], step: 1)
        #expect(try studio.current(asset) == picture.adding(15))
        try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) {
            #expect($0.status == .rendered, "\(mode): \($0.reason)")
        }
        #expect(try studio.current(asset) == picture.adding(15))
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test(
        "a file changed after its completion is committed unchanged or rejected",
        arguments: ["file-overwritten", "file-truncated"])
    func changed(mode: String) async throws {
        let studio = try TestStudio()
        for turn in 0..<2 {
            let picture = TestPicture.gradient(seed: turn)
            let asset = try await studio.add(picture)
            do {
                try await studio.edit(asset, "adder", ["amount": "9", "mode": mode])
                #expect(try studio.current(asset) == picture.adding(9))
            } catch let error as HostError {
                #expect(error.code == .extensionFailed)
                #expect(error.extensionIdentifier == "org.example.adder")
                #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
            }
        }
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test(
        "a file without a profile gets the input's, in sessions and jobs", arguments: [true, false])
    func unprofiled(trusted: Bool) async throws {
        let studio = try TestStudio(trusted: trusted)
        try VipsLibrary.initialize()
        let picture = TestPicture.gradient()
        let plain = try Image(source: ImageSource(bytes: Array(picture.encoded())))
        let wide = try plain.applying(
            "icc_transform", ["output_profile": "p3", "input_profile": "srgb"])
        let profile = try #require(wide.blob("icc-profile-data"))
        let before = try wide.samples()
        let asset = try await studio.add(
            Data(try wide.encoded(saver: "pngsave_buffer", options: [:])), named: "wide.png")
        try await studio.edit(asset, "adder", ["amount": "9", "mode": "file-unprofiled"])
        func expectKept(_ comment: Comment) throws {
            let image = try Image(source: ImageSource(bytes: Array(studio.currentBytes(asset))))
            #expect(image.blob("icc-profile-data") == profile, comment)
            #expect(try image.samples() == before.map { $0 + 9 }, comment)
        }
        try expectKept("edited")
        try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) {
            #expect($0.status == .rendered, "\($0.reason)")
        }
        try expectKept("rendered again")
        await studio.host.shutDown()
    }

    @Test("a sparse file that claims gigabytes costs only what was written")
    func sparse() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "9", "mode": "file-sparse"])
        #expect(try studio.current(asset) == picture.adding(9))
        await studio.host.shutDown()
    }

    @Test("a file whose length including holes exceeds the memory budget is rejected")
    func hollow() async throws {
        for trusted in [true, false] {
            let studio = try TestStudio(trusted: trusted) {
                var budget = ExtensionBudget()
                budget.memory = 256 << 20
                $0.budgets.extensions["org.example.adder"] = budget
            }
            let asset = try await studio.add(.gradient())
            let error = await #expect(throws: HostError.self) {
                try await studio.edit(asset, "adder", ["amount": "9", "mode": "file-hollow"])
            }
            #expect(error?.description.contains("256 MiB") == true, "\(error as Any)")
            #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
            // A hole at the end of the file does not count.
            try await studio.edit(asset, "adder", ["amount": "9", "mode": "file-sparse"])
            #expect(try studio.current(asset) == TestPicture.gradient().adding(9))
            await studio.host.shutDown()
        }
    }
}
