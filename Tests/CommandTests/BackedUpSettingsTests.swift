// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of the settings in a backup.
@Suite("settings in backups")
struct BackedUpSettingsTests {
    private let bench: Workbench
    private let backup: String

    init() throws {
        (bench, _) = try Workbench.withPhotos(1)
        backup = bench.folder.file("backup")
    }

    private func write(_ text: String, to path: String) throws {
        let path = bench.folder.file(path)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func text(_ path: String) -> String? {
        try? String(contentsOfFile: bench.folder.file(path), encoding: .utf8)
    }

    @Test("a backup includes presets and config.json, and restore --settings adds the missing ones")
    func roundTrip() throws {
        try write("{}", to: "config/edithost/config.json")
        try write("one", to: "config/edithost/presets/One.json")
        try write("two", to: "config/edithost/presets/Zwei ü.json")
        try write("small", to: "config/edithost/export-presets/web.json")
        try write("trust", to: "config/edithost/extensions.jsonl")
        try write("other", to: "config/edithost/presets/notes.txt")
        #expect(try bench.json("backup", backup)[0]["settings"] as? Int == 4)
        #expect(try bench.json("backup", backup)[0]["settings"] as? Int == 0)
        try write("new", to: "config/edithost/presets/One.json")
        try FileManager.default.removeItem(
            atPath: bench.folder.file("config/edithost/export-presets/web.json"))
        #expect(try bench.json("backup", "--verify", backup)[0]["settings"] as? Int == 1)
        let found = try FileManager.default.subpathsOfDirectory(atPath: backup + "/settings")
            .filter { $0.hasSuffix(".json") && !$0.hasPrefix("replaced/") }
        #expect(
            found.sorted() == [
                "config.json", "export-presets/web.json", "presets/One.json", "presets/Zwei ü.json",
            ])
        #expect(!FileManager.default.fileExists(atPath: backup + "/settings/extensions.jsonl"))
        #expect(!FileManager.default.fileExists(atPath: backup + "/settings/presets/notes.txt"))

        // On another computer, one preset has a different content, and one is missing.
        try write("mine", to: "elsewhere/edithost/presets/One.json")
        let restored = try bench.run(
            "restore", backup, "--settings", "--library", bench.folder.file("restored"),
            environment: ["XDG_CONFIG_HOME": bench.folder.file("elsewhere")])
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(restored.errors.contains("restored 3 settings"), "\(restored.errors)")
        #expect(restored.errors.contains("presets/One.json, which differs"), "\(restored.errors)")
        #expect(text("elsewhere/edithost/presets/One.json") == "mine")
        #expect(text("elsewhere/edithost/presets/Zwei ü.json") == "two")
        #expect(text("elsewhere/edithost/export-presets/web.json") == "small")
        #expect(text("elsewhere/edithost/config.json") == "{}")
        #expect(text("elsewhere/edithost/extensions.jsonl") == nil)
        #expect(try bench.run("check", "--library", backup).status == 0)
    }

    @Test("a rejected restore changes no settings")
    func rejected() throws {
        try write("{}", to: "config/edithost/config.json")
        _ = try bench.json("backup", backup)
        try write("a file", to: "taken/notes.txt")
        let result = try bench.run(
            "restore", backup, "--settings", "--library", bench.folder.file("taken"),
            environment: ["XDG_CONFIG_HOME": bench.folder.file("elsewhere")])
        #expect(result.status == 73, "\(result.errors)")
        #expect(text("elsewhere/edithost/config.json") == nil)
    }

    @Test("restore without --settings, or of a backup without settings, writes none")
    func absent() throws {
        #expect(try bench.json("backup", backup)[0]["settings"] as? Int == 0)
        #expect(!FileManager.default.fileExists(atPath: backup + "/settings"))
        let elsewhere = ["XDG_CONFIG_HOME": bench.folder.file("elsewhere")]
        let none = try bench.run(
            "restore", backup, "--settings", "--library", bench.folder.file("one"),
            environment: elsewhere)
        #expect(none.status == 0 && none.errors.contains("restored 0 settings"), "\(none.errors)")
        try write("one", to: "config/edithost/presets/One.json")
        _ = try bench.json("backup", backup)
        let without = try bench.run(
            "restore", backup, "--library", bench.folder.file("two"), environment: elsewhere)
        #expect(without.status == 0, "\(without.errors)")
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("elsewhere/edithost")))
    }

    @Test("a setting that cannot be read is reported, and the others are copied")
    func unreadable() throws {
        try write("one", to: "config/edithost/presets/b.json")
        try write("web", to: "config/edithost/export-presets/web.json")
        let presets = bench.folder.file("config/edithost/presets")
        try FileManager.default.createSymbolicLink(
            atPath: presets + "/a.json", withDestinationPath: "/nonexistent")
        #expect(mkfifo(presets + "/c.json", 0o600) == 0)
        let result = try bench.run("backup", backup)
        #expect(result.status == 1, "\(result.errors)")
        for name in ["a.json", "c.json"] { #expect(result.errors.contains(name)) }
        #expect(text("backup/settings/presets/b.json") == "one")
        #expect(text("backup/settings/export-presets/web.json") == "web")
    }

    @Test("the contents of settings that a backup replaces are kept")
    func replaced() throws {
        for content in ["one", "two", "three"] {
            try write(content, to: "config/edithost/presets/a.json")
            _ = try bench.json("backup", backup)
        }
        let folder = bench.folder.file("backup/settings/replaced")
        let dates = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let texts = dates.map { text("backup/settings/replaced/\($0)/presets/a.json") }
        #expect(texts == ["one", "two"])
        #expect(text("backup/settings/presets/a.json") == "three")
    }

    @Test("links in the settings of a backup are not followed")
    func links() throws {
        try write("one", to: "config/edithost/presets/One.json")
        // The user's own presets may be links.
        try write("linked", to: "dotfiles/Two.json")
        try FileManager.default.createSymbolicLink(
            atPath: bench.folder.file("config/edithost/presets/Two.json"),
            withDestinationPath: bench.folder.file("dotfiles/Two.json"))
        #expect(try bench.json("backup", backup)[0]["settings"] as? Int == 2)
        #expect(text("backup/settings/presets/Two.json") == "linked")
        try write("secret", to: "secret.json")
        let link = backup + "/settings/presets/Two.json"
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: bench.folder.file("secret.json"))
        let restored = try bench.run(
            "restore", backup, "--settings", "--library", bench.folder.file("restored"),
            environment: ["XDG_CONFIG_HOME": bench.folder.file("elsewhere")])
        #expect(restored.status == 1 && restored.errors.contains("Two.json"), "\(restored.errors)")
        // The library and the other settings are restored all the same.
        #expect(text("elsewhere/edithost/presets/One.json") == "one")
        #expect(try bench.json("list", "--library", bench.folder.file("restored")).count == 1)
        #expect(text("elsewhere/edithost/presets/Two.json") == nil)
        #expect(text("secret.json") == "secret")
    }
}
