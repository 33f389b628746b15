// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Edits by applications between edits by plug-ins.
@Suite("edits of applications in the history")
struct ApplicationHistoryTests {
    private static let result = TestPicture.gradient(seed: 90)

    /// An edit by a plug-in, one by an application, and another by the plug-in on top.
    private static func chain(
        of type: MediaFormat
    ) async throws -> (TestStudio, asset: String, written: TestPicture) {
        let studio = try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
        }
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["amount": "10"])
        let input = try await studio.input(asset)
        #expect(try studio.fullSize(input) == TestPicture.gradient().adding(10))
        let file = try result.encoded(type.rawValue)
        try await studio.apply(file, as: type, to: asset)
        let written = try TestPicture(decoding: file)
        #expect(try studio.current(asset) == written)
        try await studio.edit(asset, "adder", ["amount": "7"])
        #expect(try studio.library.history(ofAsset: asset).chain.count == 3)
        #expect(try studio.current(asset) == written.adding(7))
        return (studio, asset, written)
    }

    @Test(
        "plug-ins edit on top of an application's edit, and the edits can be undone and redone",
        arguments: [MediaFormat.jpeg, .png, .tiff])
    func above(type: MediaFormat) async throws {
        let (studio, asset, written) = try await Self.chain(of: type)
        try await studio.edit(asset, "other", ["amount": "2"])
        try await studio.edit(asset, "adder", ["amount": "30"], step: 3)
        #expect(try studio.current(asset) == written.adding(30).adding(2))
        // Edits below an application's edit cannot be changed without the application.
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "adder", ["amount": "1"], step: 1)
        }
        #expect(error?.code == .cannotRender)

        let pictures = [
            written.adding(7).adding(2), written.adding(7), written,
            TestPicture.gradient().adding(10), .gradient(),
        ]
        for picture in pictures {
            _ = try await studio.host.undo(asset, in: studio.library)
            #expect(try studio.current(asset) == picture)
        }
        for picture in pictures.dropLast().reversed() {
            _ = try await studio.host.redo(asset, in: studio.library)
            #expect(try studio.current(asset) == picture)
        }
        await studio.host.shutDown()
    }

    @Test(
        "A-13 an application that knows its recipe replaces its own edit", arguments: [true, false])
    func again(canHandle: Bool) async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["amount": "10"])
        try await studio.apply(Self.result.encoded(), as: .png, to: asset)
        let input = try await studio.input(asset, canHandle: canHandle)
        let below = TestPicture.gradient().adding(10)
        #expect(try studio.fullSize(input) == (canHandle ? below : Self.result))
        let other = TestPicture.gradient(seed: 33)
        try await studio.apply(
            other.encoded(), as: .png, to: asset, recipe: "y", canHandle: canHandle)
        #expect(try studio.library.history(ofAsset: asset).chain.count == (canHandle ? 2 : 3))
        #expect(try studio.current(asset) == other)
        _ = try await studio.host.undo(asset, in: studio.library)
        #expect(try studio.current(asset) == Self.result)
        await studio.host.shutDown()
    }

    @Test(
        "M-08 K-11 an application's edit is re-rendered and exported; its output is never pruned",
        arguments: [MediaFormat.jpeg, .tiff])
    func maintenance(type: MediaFormat) async throws {
        let (studio, asset, written) = try await Self.chain(of: type)
        _ = try await studio.host.undo(asset, in: studio.library)
        let before = try studio.currentBytes(asset)
        for force in [false, true] {
            let results = Mutex<[RerenderResult]>([])
            try await studio.host.rerender(
                [asset], in: studio.library, force: force, jobs: 1
            ) { result in results.withLock { $0.append(result) } }
            let result = try #require(results.withLock { $0.first })
            let isRendered = force && type == .tiff
            #expect(result.status == (isRendered ? .rendered : .upToDate), "\(result.reason)")
            #expect(try studio.currentBytes(asset) == before)
        }
        _ = try await studio.host.redo(asset, in: studio.library)
        _ = try studio.host.prune(studio.library)
        #expect(try await studio.host.check(studio.library).findings.isEmpty)
        _ = try await studio.host.undo(asset, in: studio.library)
        #expect(try studio.current(asset) == written)
        try await studio.edit(asset, "adder", ["amount": "5"])
        #expect(try studio.current(asset) == written.adding(5))

        _ = try await studio.host.undo(asset, in: studio.library)
        var options = ExportOptions()
        let plain = try await studio.host.export(
            asset, from: studio.library, to: studio.folder.file("out"), options)
        #expect(try Data(contentsOf: URL(fileURLWithPath: plain)) == before)
        options.format = .tiff
        let converted = try await studio.host.export(
            asset, from: studio.library, to: studio.folder.file("out"), options)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: converted))
        #expect(try TestPicture(decoding: bytes) == written)
        await studio.host.shutDown()
    }
}
