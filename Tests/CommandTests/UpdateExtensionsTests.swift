// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `extensions outdated` and `update`, with an index in a folder.
@Suite("updating extensions from an index")
struct UpdateExtensionsTests {
    private let bench: Workbench
    private let index: String

    init() throws {
        bench = try Workbench()
        index = bench.folder.file("index")
        try FileManager.default.createDirectory(
            atPath: index, withIntermediateDirectories: false)
    }

    /// Builds a version of the adder and returns its folder.
    private func build(
        _ version: String, library: String? = nil, formats: [String: Any] = [:]
    ) throws -> String {
        let folder = bench.folder.file("version-\(UUID().uuidString)")
        try TestExtension.buildAdder(
            defines: ["VERSION=\"\(library ?? version)\""],
            manifest: formats.merging(["version": version]) { $1 }, in: folder)
        return "\(folder)/adder.editingextension"
    }

    /// Packages a version into the folder of the index, and returns its entry.
    private func package(_ path: String, _ options: String...) throws -> [String: Any] {
        let row = try #require(
            try bench.json(["extensions", "package", path, "--output", index] + options).first)
        let archive = try #require(row["path"] as? String)
        return [
            "identifier": "org.example.adder", "version": row["version"] ?? "",
            "url": URL(fileURLWithPath: archive).lastPathComponent, "sha256": row["sha256"] ?? "",
        ]
    }

    private func write(_ entries: [[String: Any]]) throws {
        let json = try JSONSerialization.data(withJSONObject: ["extensions": entries])
        try bench.folder.write(json, to: "index/index.json")
    }

    private func installedVersion() throws -> String? {
        try bench.json("extensions", "show", "adder").first?["version"] as? String
    }

    @Test("the newest version that the host can run is listed and installed")
    func updates() throws {
        _ = try bench.json("extensions", "install", try build("1.9"))
        var future = try package(try build("2.0"))
        future["minimumHost"] = "999.0"
        let newest = try package(try build("1.10"))
        try write([try package(try build("1.8")), newest, future])
        let rows = try bench.json("extensions", "outdated", "--index", index)
        #expect(rows.count == 1)
        #expect(rows.first?["identifier"] as? String == "org.example.adder")
        #expect(rows.first?["installedVersion"] as? String == "1.9")
        #expect(rows.first?["version"] as? String == "1.10")
        #expect(rows.first?["sha256"] as? String == newest["sha256"] as? String)
        #expect(try installedVersion() == "1.9")

        let updated = try bench.run("extensions", "update", "adder", "--index", index)
        #expect(updated.status == 0, "\(updated.errors)")
        #expect(try installedVersion() == "1.10")
        let url = URL(fileURLWithPath: "\(index)/index.json").absoluteString
        #expect(try bench.json("extensions", "outdated", "--index", url).isEmpty)
        let none = try bench.run("extensions", "update", "adder", "--index", index)
        #expect(none.status == 69)
        #expect(try bench.run("extensions", "update", "--index", index).status == 0)
    }

    @Test("the installed version is kept if the new one is damaged, cannot be loaded or is another")
    func keeps() throws {
        _ = try bench.json("extensions", "install", try build("1.0"))
        let good = try package(try build("1.1"))
        var damaged = good
        damaged["sha256"] = String(repeating: "0", count: 64)
        // The library's version differs from the manifest's.
        let unloadable = try package(try build("1.2", library: "1.1"))
        var other = good
        let otherFolder = bench.folder.file("other")
        try TestExtension.buildAdder("org.example.other", in: otherFolder)
        let otherEntry = try package("\(otherFolder)/other.editingextension")
        other["url"] = otherEntry["url"]
        other["sha256"] = otherEntry["sha256"]
        // An older archive, for which the index states a newer version.
        var older = try package(try build("0.9"))
        older["version"] = "9.0"
        for entry in [damaged, unloadable, other, older] {
            try write([entry])
            let result = try bench.run("extensions", "update", "--index", index)
            #expect([69, 70].contains(result.status), "\(entry): \(result.errors)")
            #expect(try installedVersion() == "1.0")
        }
    }

    @Test("the other extensions are updated if one fails")
    func goesOn() throws {
        _ = try bench.json("extensions", "install", try build("1.0"))
        let others = ["1.0", "1.1"].map { bench.folder.file("other-\($0)") }
        for (folder, version) in zip(others, ["1.0", "1.1"]) {
            try TestExtension.buildAdder(
                "org.example.other", defines: ["VERSION=\"\(version)\""],
                manifest: ["version": version], in: folder)
        }
        _ = try bench.json("extensions", "install", "\(others[0])/other.editingextension")
        var damaged = try package(try build("1.1"))
        damaged["sha256"] = String(repeating: "0", count: 64)
        var other = try package("\(others[1])/other.editingextension")
        other["identifier"] = "org.example.other"
        // The adder comes first.
        try write([damaged, other])
        let result = try bench.run("extensions", "update", "--index", index)
        #expect(result.status == 1 && result.errors.contains("SHA-256"), "\(result.errors)")
        #expect(try installedVersion() == "1.0")
        let shown = try bench.json("extensions", "show", "other").first
        #expect(shown?["version"] as? String == "1.1")
    }

    @Test("a version whose trust cannot be stored does not replace the installed one")
    func unwritableTrust() throws {
        let key = try bench.folder.write(
            Data(PackageExtensionTests.otherSecretKey.utf8), to: "key")
        _ = try bench.json(
            "extensions", "trust-publisher", PackageExtensionTests.otherPublicKey)
        _ = try package(try build("1.0"), "--key", key)
        let old = "\(index)/adder-1.0.editingextension.tar.gz"
        _ = try bench.json("extensions", "install", old)
        try write([try package(try build("1.1"), "--key", key)])
        // The lock of the list cannot be opened.
        let lock = bench.folder.file("config/edithost/extensions.jsonl.lock")
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(
            atPath: lock, withIntermediateDirectories: false)
        let failed = try bench.run("extensions", "update", "--index", index)
        #expect(failed.status == 73, "\(failed.errors)")
        #expect(failed.errors.contains("extensions.jsonl"), "\(failed.errors)")
        let kept = try #require(try bench.json("extensions", "show", "adder").first)
        #expect(kept["version"] as? String == "1.0" && kept["trust"] as? String == "user")

        try FileManager.default.removeItem(atPath: lock)
        let updated = try bench.run("extensions", "update", "--index", index)
        #expect(updated.status == 0, "\(updated.errors)")
        let shown = try #require(try bench.json("extensions", "show", "adder").first)
        #expect(shown["version"] as? String == "1.1" && shown["trust"] as? String == "user")
        // The replaced build is no longer trusted.
        let publishers = try bench.json("extensions", "trust-publisher", "--list")
        #expect(publishers.first?["extensions"] as? [String] == ["org.example.adder"])
        _ = try bench.json("extensions", "install", try build("1.0"), "--replace")
        let again = try bench.json("extensions", "show", "adder").first
        #expect(again?["trust"] as? String == "none")
    }

    @Test("a trusted version is not replaced by an unsigned one, or by that of another publisher")
    func keepsTrust() throws {
        _ = try bench.json("extensions", "install", try build("1.0"))
        _ = try bench.json("extensions", "trust", "adder")
        let newer = try build("1.1")
        let key = try bench.folder.write(
            Data(PackageExtensionTests.otherSecretKey.utf8), to: "key")
        _ = try bench.json(
            "extensions", "trust-publisher", PackageExtensionTests.otherPublicKey)
        for isSigned in [false, true] {
            try write([try isSigned ? package(newer, "--key", key) : package(newer)])
            let result = try bench.run("extensions", "update", "--index", index)
            #expect(result.status == 64, "\(result.errors)")
            #expect(result.errors.contains("install --replace"), "\(result.errors)")
            let shown = try #require(try bench.json("extensions", "show", "adder").first)
            #expect(shown["version"] as? String == "1.0" && shown["trust"] as? String == "user")
        }
        #expect(try bench.run("extensions", "untrust", "adder").status == 0)
        #expect(try bench.run("extensions", "update", "--index", index).status == 0)
        let shown = try #require(try bench.json("extensions", "show", "adder").first)
        #expect(shown["version"] as? String == "1.1" && shown["trust"] as? String == "user")
    }

    @Test("a version that cannot read recipes in the library is not installed")
    func unreadable() throws {
        _ = try bench.json("extensions", "install", try build("1.0"))
        let id = try bench.importPicture()
        _ = try bench.json("edit", id, "--with", "adder")
        let formats = [["formatIdentifier": "org.example.new"]]
        try write([
            try package(try build("1.1", formats: ["reads": formats, "writes": formats]))
        ])
        let result = try bench.run("extensions", "update", "--index", index)
        #expect(result.status == 64 && result.errors.contains("recipe"), "\(result.errors)")
        #expect(try installedVersion() == "1.0")
    }

    @Test(
        "an index with an invalid entry is rejected",
        arguments: ["/etc/passwd", "http://localhost/a", "file:///a", "", "javascript:a"])
    func invalid(url: String) throws {
        try write([
            [
                "identifier": "org.example.adder", "version": "9", "url": url,
                "sha256": String(repeating: "a", count: 64),
            ]
        ])
        #expect(try bench.run("extensions", "outdated", "--index", index).status == 65)
        try bench.folder.write(Data("[]".utf8), to: "index/index.json")
        #expect(try bench.run("extensions", "outdated", "--index", index).status == 65)
    }
}
