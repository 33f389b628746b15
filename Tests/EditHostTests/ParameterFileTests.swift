// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Parameters that are files: read by the host, kept with the edit, handed to the plug-in as bytes.
@Suite("file parameters")
struct ParameterFileTests {
    private static let picture = TestPicture.plain(width: 40, height: 30)

    private static func studio(trusted: Bool = false) throws -> TestStudio {
        try TestStudio(extensions: { try TestExtension.buildCube(in: $0) }, trusted: trusted)
    }

    /// A look-up table as written by other programs.
    private static func cube(_ title: String) -> Data {
        var text = "TITLE \"\(title)\"\r\nLUT_3D_SIZE 2\r\n"
        for value in 0..<8 { text += "\(value & 1) \(value >> 1 & 1) \(Double(value) / 7)\r\n" }
        return Data(text.utf8) + Data([0, 255, 10, 13])
    }

    /// The logged line, with a 64-bit FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/).
    private static func line(_ bytes: Data) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        let padding = String(repeating: "0", count: 16 - digits.count)
        return "lut \(bytes.count) bytes \(padding)\(digits)"
    }

    private static func amount(_ bytes: Data) -> Int { bytes.reduce(0) { ($0 + Int($1)) % 50 } }

    @Test(
        "a .cube file arrives byte for byte, also in rerender after the file is gone",
        arguments: [true, false])
    func roundTrip(isTrusted: Bool) async throws {
        let studio = try Self.studio(trusted: isTrusted)
        let asset = try await studio.add(Self.picture)
        let bytes = Self.cube("Film")
        let path = studio.folder.file("film.cube")
        try bytes.write(to: URL(fileURLWithPath: path))
        try await studio.edit(asset, "cube", ["lut": path])
        #expect(studio.log.lines.contains { $0.hasSuffix(Self.line(bytes)) })
        #expect(try studio.current(asset) == Self.picture.adding(Self.amount(bytes)))
        let edit = try #require(try studio.library.history(ofAsset: asset).chain.last)
        let file = try #require(edit.files.first)
        #expect(file.parameter == "lut" && file.filename == "film.cube")
        #expect(file.size == bytes.count)
        #expect(try studio.recipe(asset) == "{\"lut\":\"sha256:\(file.hash.hex)\"}")
        #expect(try studio.bytes(file.hash) == bytes)
        // It accompanies the recipe when that is copied out of the library.
        let copied = studio.folder.file("copied.cube")
        let resources = try AssetResource.assetResources(
            for: try studio.library.asset(withLocalIdentifier: asset), in: studio.library)
        #expect(resources.suffix(2).map(\.type) == [.adjustmentData, .adjustmentFile])
        let resource = try #require(resources.last)
        #expect(resource.originalFilename == "film.cube" && resource.size == bytes.count)
        try await AssetResourceManager(host: studio.host, library: studio.library)
            .writeData(for: resource, toFile: copied)
        #expect(try Data(contentsOf: URL(fileURLWithPath: copied)) == bytes)

        try FileManager.default.removeItem(atPath: path)
        let host = try studio.otherHost(trusted: isTrusted)
        let seen = studio.log.lines.count { $0.hasSuffix(Self.line(bytes)) }
        try await host.rerender([asset], in: studio.library, force: true, jobs: 1) { _ in }
        #expect(studio.log.lines.count { $0.hasSuffix(Self.line(bytes)) } > seen)
        #expect(try studio.current(asset) == Self.picture.adding(Self.amount(bytes)))

        // A reopened edit keeps its file.
        let again = try await host.openEditingSession(
            for: asset, EditRequest(extensionName: "cube"), in: studio.library)
        #expect(again.input == .original)
        #expect(try await again.preview().picture == Self.picture.adding(Self.amount(bytes)))
        #expect(try await again.finish().status == .unchanged)
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test(
        "the default is the extension's own file, which another file replaces and restores"
    )
    func change() async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(Self.picture)
        try await studio.edit(asset, "cube")
        #expect(try studio.current(asset) == Self.picture.adding(3))
        let first = studio.folder.file("first.cube")
        let second = studio.folder.file("second.cube")
        try Data([5]).write(to: URL(fileURLWithPath: first))
        try Data([9, 1]).write(to: URL(fileURLWithPath: second))
        let session = try await studio.open(asset, "cube", [:])
        try await session.setParameters(["lut": .string(first)])
        #expect(try await session.preview().picture == Self.picture.adding(5))
        let value = try #require(session.parameters["lut"])
        try await session.setParameters(["lut": .string(second)])
        #expect(try await session.preview().picture == Self.picture.adding(10))
        // A file known to the session can also be set by its value.
        try FileManager.default.removeItem(atPath: first)
        try await session.setParameters(["lut": value])
        _ = try await session.finish()
        #expect(try studio.current(asset) == Self.picture.adding(5))
        let edit = try #require(try studio.library.history(ofAsset: asset).chain.last)
        #expect(edit.files.map(\.filename) == ["first.cube"])
        try await studio.edit(asset, "cube", ["lut": "default.cube"])
        #expect(try studio.current(asset) == Self.picture.adding(3))
        let last = try #require(try studio.library.history(ofAsset: asset).chain.last)
        #expect(last.files.isEmpty)
        await studio.host.shutDown()
    }

    @Test("files of lower edits are available when these are re-run", arguments: [true, false])
    func below(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildCube(in: $0)
                try TestExtension.buildAdder(in: $0)
            }, trusted: isTrusted)
        let asset = try await studio.add(Self.picture)
        let path = studio.folder.file("film.cube")
        try Data([7]).write(to: URL(fileURLWithPath: path))
        try await studio.edit(asset, "cube", ["lut": path])
        try FileManager.default.removeItem(atPath: path)
        try await studio.edit(asset, "adder", ["amount": "4"])
        #expect(try studio.current(asset) == Self.picture.adding(11))
        // The upper edit is changed, and the lower one keeps its file.
        try await studio.edit(asset, "adder", ["amount": "6"], step: 2)
        #expect(try studio.current(asset) == Self.picture.adding(13))
        let other = studio.folder.file("other.cube")
        try Data([1]).write(to: URL(fileURLWithPath: other))
        try await studio.edit(asset, "cube", ["lut": other], step: 1)
        #expect(try studio.current(asset) == Self.picture.adding(7))
        let chain = try studio.library.history(ofAsset: asset).chain
        #expect(chain.map { $0.files.map(\.filename) } == [["other.cube"], []])
        await studio.host.shutDown()
    }

    @Test("anything but a file of up to 64 MiB is rejected by name, and nothing is committed")
    func refusals() async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(Self.picture)
        let fifo = studio.folder.file("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        let large = studio.folder.file("large.cube")
        _ = FileManager.default.createFile(atPath: large, contents: nil)
        #expect(truncate(large, 65 << 20) == 0)
        let empty = studio.folder.file("empty.cube")
        _ = FileManager.default.createFile(atPath: empty, contents: nil)
        let cases = [
            (fifo, "not a regular file"), (studio.folder.file("."), "regular file"),
            (large, "limit is 67108864"), (empty, "is empty"),
            (studio.folder.file("nothing.cube"), "No such file"), ("/dev/zero", "regular file"),
            ("sha256:" + String(repeating: "0", count: 64), "No such file"),
        ]
        for (path, words) in cases {
            let error = await #expect(throws: HostError.self) {
                try await studio.edit(asset, "cube", ["lut": path])
            }
            #expect(error?.code == .badParameter, "\(path)")
            #expect(error?.description.contains("lut") == true, "\(path)")
            #expect(error?.description.contains(words) == true, "\(path): \(error as Any)")
        }
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        await studio.host.shutDown()
    }

    @Test("a path that an extension returns is not read when its values are set")
    func told() async throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write(Data("secret".utf8), to: "secret")
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildCube(
                    defines: [#"TELLS="{\"lut\":\"\#(secret)\"}""#], in: $0)
            }, trusted: false)
        let asset = try await studio.add(Self.picture)
        let session = try await studio.open(asset, "cube", [:])
        // A form sets all values like this.
        try await session.setParameters(session.parameters)
        #expect(session.parameters.isEmpty)
        #expect(try await session.preview().picture == Self.picture.adding(3))
        #expect(!studio.log.lines.contains { $0.contains("lut 6 bytes") })
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("parameter files are limited to 512 MiB in total")
    func together() async throws {
        let studio = try TestStudio(extensions: { folder in
            try TestExtension.buildCube(in: folder)
            let path = "\(folder)/cube.editingextension/manifest.json"
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            var manifest = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
            manifest["parameters"] =
                [["name": "lut", "type": "file", "default": "default.cube"]]
                + (1...8).map { ["name": "lut\($0)", "type": "file"] }
            try JSONSerialization.data(withJSONObject: manifest)
                .write(to: URL(fileURLWithPath: path))
        })
        let asset = try await studio.add(Self.picture)
        var values: [String: String] = [:]
        for number in 0...8 {
            // Sparse files, all different.
            let path = try studio.folder.write(Data([UInt8(number + 1)]), to: "\(number).cube")
            #expect(truncate(path, 64 << 20) == 0)
            values[number == 0 ? "lut" : "lut\(number)"] = path
        }
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "cube", values)
        }
        #expect(error?.code == .badParameter)
        #expect(error?.description.contains("512 MiB") == true, "\(error as Any)")
        await studio.host.shutDown()
    }

    @Test("photos edited together share one stored file")
    func batch() async throws {
        let studio = try Self.studio()
        var assets: [String] = []
        for number in 0..<4 { assets.append(try await studio.add(Self.picture.adding(number))) }
        let path = try studio.folder.write(Data([8]), to: "film.cube")
        try await studio.host.edit(
            assets, EditRequest(extensionName: "cube", values: ["lut": path]), in: studio.library)
        for (number, asset) in assets.enumerated() {
            #expect(try studio.current(asset) == Self.picture.adding(number + 8))
            let edit = try #require(try studio.library.history(ofAsset: asset).chain.last)
            #expect(edit.files.map(\.size) == [1])
        }
        #expect(try await studio.host.check(studio.library, readingDataOf: 100).findings.isEmpty)
        await studio.host.shutDown()
    }

    @Test("the largest allowed file is accepted; a link is followed to its file")
    func largest() async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(Self.picture)
        let large = studio.folder.file("large.cube")
        _ = FileManager.default.createFile(atPath: large, contents: Data([2]))
        #expect(truncate(large, 64 << 20) == 0)
        let link = studio.folder.file("link.cube")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: large)
        try await studio.edit(asset, "cube", ["lut": link])
        #expect(try studio.current(asset) == Self.picture.adding(2))
        await studio.host.shutDown()
    }

    @Test("the library keeps a file while an edit refers to it; check reports a missing one")
    func kept() async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(Self.picture)
        let path = studio.folder.file("film.cube")
        try Data([8]).write(to: URL(fileURLWithPath: path))
        try await studio.edit(asset, "cube", ["lut": path])
        let file = try #require(try studio.library.history(ofAsset: asset).chain.last?.files.first)
        _ = try studio.host.prune(studio.library, keep: 0)
        #expect(studio.library.containsBlob(file.hash))
        let blob = studio.blobPath(file.hash)
        let aside = studio.folder.file("aside")
        try FileManager.default.moveItem(atPath: blob, toPath: aside)
        let found = try await studio.host.check(studio.library)
        #expect(found.findings.map(\.kind) == [.editFileMissing], "\(found.findings)")
        let error = await #expect(throws: LibraryError.self) {
            try await studio.open(asset, "cube", [:])
        }
        #expect(error?.code == .blobMissing, "\(error as Any)")
        try FileManager.default.moveItem(atPath: aside, toPath: blob)
        #expect(try await studio.host.check(studio.library).findings.isEmpty)
        await studio.host.shutDown()
    }
}
