// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing

/// Plug-ins built as by a third party, with only what a third party has.
@Suite("third-party plug-ins")
struct ThirdPartyTests {
    @Test("M-01 M-02 a Swift plug-in that imports only the API, built later, edits an asset")
    func swiftPlugin() async throws {
        let studio = try TestStudio { try Self.buildSwift("Brightness", in: $0) }
        let picture = TestPicture.gradient(bands: 4)
        let asset = try await studio.add(picture)
        let result = try await studio.edit(asset, "brightness", ["gain": "2"])
        #expect(result.status == .committed)
        #expect(try studio.current(asset) == picture.mapped { UInt8(min(255, 2 * Int($0))) })
        let unchanged = try await studio.edit(asset, "brightness", ["gain": "1"])
        #expect(unchanged.input == .original)
        #expect(try studio.current(asset) == picture)
        await studio.host.shutDown()
    }

    @Test("C-01 K-06 a hand-written controller uses files and completes from another thread")
    func swiftController() async throws {
        let studio = try TestStudio {
            try Self.buildSwift("Mirror", in: $0)
            try TestExtension.buildAdder(in: $0)
        }
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "20"])
        let result = try await studio.edit(asset, "mirror")
        #expect(result.input == .current)
        #expect(try studio.current(asset) == picture.adding(20).mirrored)
        try await studio.edit(asset, "adder", ["amount": "3"])
        #expect(try studio.current(asset) == picture.adding(20).mirrored.adding(3))

        let reopened = try await studio.edit(asset, "mirror", ["direction": "vertical"], step: 2)
        #expect(reopened.input == .previous)
        #expect(try studio.current(asset) == picture.adding(20).upsideDown.adding(3))
        await studio.host.shutDown()
    }

    @Test("C-01 K-06 a ported controller writes a JPEG file and continues its edit")
    func port() async throws {
        let studio = try TestStudio { try Self.buildSwift("Poster", in: $0) }
        let asset = try await studio.add(.plain(width: 64, height: 48))
        let result = try await studio.edit(asset, "poster")
        #expect(result.status == .committed && result.input == .original)
        // Four levels, 85 apart: each sample is close to the level nearest to its original value.
        let before = TestPicture.plain(width: 64, height: 48).samples
        let after = try studio.current(asset).samples
        #expect(after.count == before.count)
        for (old, new) in zip(before, after) {
            let level = 85 * ((Int(old) * 2 + 85) / 170)
            #expect(abs(Int(new) - level) <= 3)
        }
        // The same recipe from the same picture changes nothing.
        let again = try await studio.edit(asset, "poster")
        #expect(again.status == .unchanged)
        let error = await #expect(throws: HostError.self) {
            try await studio.open(asset, "poster").preview()
        }
        #expect(error?.description.contains("no previews") == true, "\(error as Any)")
        await studio.host.shutDown()
    }

    @Test(
        "a Swift plug-in may block every Dispatch thread")
    func crowd() async throws {
        let studio = try TestStudio { try TestExtension.buildSwift("Crowd", in: $0) }
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        // It would crash after a second if thread states were hidden, and hang if they were wrong.
        let result = try await studio.edit(asset, "crowd")
        #expect(result.status == .committed)
        #expect(try studio.current(asset) == picture)
        await studio.host.shutDown()
    }

    @Test(
        "C-01 a main-actor controller that uses the main queue runs; the runner serves it",
        arguments: [true, false])
    func mainQueue(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildSwift("MainQueue", in: $0) },
            trusted: isTrusted)
        let picture = TestPicture.plain(width: 64, height: 48)
        let asset = try await studio.add(picture)
        let session = try await studio.open(asset, "mainqueue", [:])
        #expect(try await session.preview().picture == picture.adding(5))
        _ = try await session.finish()
        #expect(try studio.current(asset) == picture.adding(20))
        // Another edit in the same process.
        let second = try await studio.add(picture.adding(1))
        try await studio.edit(second, "mainqueue")
        #expect(try studio.current(second) == picture.adding(21))
        await studio.host.shutDown()
    }

    @Test("a Swift plug-in computes each video frame from three, like ffmpeg's tmix")
    func smooth() async throws {
        let studio = try TestStudio { try Self.buildSwift("Smooth", in: $0) }
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "160x120", seconds: 1, ["-crf", "4"])
        let video = try await studio.add(
            Data(contentsOf: URL(fileURLWithPath: path)), named: "copy-a.mov")
        try await studio.edit(video, "smooth")
        let edited = try studio.folder.write(studio.currentBytes(video), to: "edited.mov")
        #expect(try TestVideo.times(edited) == TestVideo.times(path))
        let found = try TestVideo.frames(edited)
        // This filter only looks back.
        let expected = try TestVideo.frames(path, filter: "tmix=frames=3")
        let plain = try TestVideo.frames(path)
        for index in 1..<found.count - 1 {
            let ratio = TestVideo.ratio(found[index], expected[index + 1])
            let others = [expected[index], plain[index]].map { TestVideo.ratio(found[index], $0) }
            // Much nearer to that than to its neighbour or to the original frame.
            #expect(
                ratio > 29 && others.allSatisfy { $0 < ratio - 3 }, "\(index): \(ratio) \(others)")
        }
        let photo = try await studio.add(.gradient())
        await #expect(throws: HostError.self) { try await studio.edit(photo, "smooth") }
        await studio.host.shutDown()
    }

    private static func buildSwift(_ name: String, in folder: String) throws {
        let example = "\(BuildProducts.packageFolder)/Examples/\(name)Swift"
        let target = "\(folder)/\(name).editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: "\(example)/manifest.json", toPath: "\(target)/manifest.json")
        try TestExtension.compileSwift(
            "\(example)/\(name).swift", to: "\(target)/lib\(name).so")
    }

    @Test("a C plug-in built with cc and pkg-config against the header alone edits an asset")
    func cPlugin() async throws {
        let studio = try TestStudio(extensions: Self.buildInvert)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "invert")
        #expect(try studio.current(asset) == picture.mapped { 255 - $0 })
        await studio.host.shutDown()
    }

    /// Builds out of tree like its own Makefile, which needs only the header.
    static func buildInvert(_ folder: String) throws {
        let target = "\(folder)/Invert.editingextension"
        let example = "\(BuildProducts.packageFolder)/Examples/InvertC"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        for file in ["invert.c", "manifest.json"] {
            try FileManager.default.copyItem(
                atPath: "\(example)/\(file)", toPath: "\(target)/\(file)")
        }
        let library =
            try #require(
                try JSONSerialization.jsonObject(
                    with: Data(contentsOf: URL(fileURLWithPath: "\(target)/manifest.json")))
                    as? [String: Any])["library"] as? String
        try TestExtension.compile("\(target)/invert.c", to: "\(target)/\(library ?? "")")
    }

    @Test("M-03 extensions are asked by what their manifest reads; each outcome has a reason")
    func answers() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
            try TestExtension.buildAdder(
                "org.example.refuser", defines: ["READS=\"org.example.none\""],
                manifest: ["reads": [["formatIdentifier": "org.example.adder"]]], in: $0)
            try TestExtension.buildAdder(
                "org.example.eager", defines: ["READS=\"org.example.adder\""],
                manifest: ["reads": [["formatIdentifier": "org.example.none"]]], in: $0)
            try TestExtension.buildAdder(
                "org.example.video", manifest: ["supportedMediaTypes": ["video"]], in: $0)
        }
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let before = try await studio.host.answers(for: asset, in: studio.library)
        #expect(before.allSatisfy { $0.canHandle == nil })
        try await studio.edit(asset)
        let after = try await studio.host.answers(for: asset, in: studio.library)
        var outcome: [String: ExtensionAnswer] = [:]
        for answer in after { outcome[answer.installed.identifier] = answer }
        #expect(outcome["org.example.adder"]?.canHandle == true)
        #expect(outcome["org.example.other"]?.canHandle == false)
        #expect(outcome["org.example.other"]?.reason.contains("does not declare") == true)
        #expect(outcome["org.example.refuser"]?.canHandle == false)
        #expect(outcome["org.example.refuser"]?.reason.contains("does not accept") == true)
        #expect(outcome["org.example.video"]?.isSupported == false)
        #expect(outcome["org.example.video"]?.canHandle == nil)
        #expect(outcome["org.example.eager"]?.canHandle == false)
        #expect(outcome["org.example.eager"]?.reason.contains("does not declare") == true)
        // The extension that the user chose is asked, whatever its manifest says: it continues the edit.
        let chosen = try await studio.edit(asset, "eager", ["amount": "1"])
        #expect(chosen.input == .original)
        #expect(try studio.current(asset) == picture.adding(1))
        await studio.host.shutDown()
    }

    @Test("C-03 a video extension is rejected for a photo without being loaded")
    func mediaTypes() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(manifest: ["supportedMediaTypes": ["video"]], in: $0)
            // The library is invalid: reading the manifest must be sufficient.
            try Data("garbage".utf8).write(
                to: URL(fileURLWithPath: "\($0)/adder.editingextension/libadder.so"))
        }
        let asset = try await studio.add(.gradient())
        let error = await #expect(throws: HostError.self) { try await studio.edit(asset) }
        #expect(error?.code == .unsupportedMediaType)
        await studio.host.shutDown()
    }
}
