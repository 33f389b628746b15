// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Repeated exports of photos under other names.
@Suite("exports under other names")
struct RenamedExportTests: ExportingTests {
    let bench: Workbench
    private let ids: [String]
    let folder: String

    init() throws {
        (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter"])
        folder = bench.folder.file("out")
    }

    @Test("a renamed photo keeps its exported file until --prune")
    func renamed() throws {
        _ = try export(ids[0], ids[1], "--name", "a-{name}")
        let result = try bench.run("export", ids[0], "--to", folder, "--name", "b-{name}")
        #expect(result.output == "\(folder)/b-picture0.png\n", "\(result.output)")
        let words =
            "exported under a new name; the earlier file \(folder)/a-picture0.png was kept"
        #expect(result.errors.contains(words), "\(result.errors)")
        let names = ["a-picture0.png", "a-picture1.png", "b-picture0.png"]
        #expect(try files().keys.sorted() == names)
        let lines = try export(ids[0], "--name", "c-{name}")
        #expect(lines.count == 1 && lines.first?["replaced"] as? [String] == [])
        #expect(lines.first?["kept"] as? [String] == [folder + "/b-picture0.png"])
        // A different size keeps the name, and the file under the old name is not reported again.
        let smaller = try export(ids[0], "--name", "c-{name}", "--size", "8x8")
        #expect(smaller.count == 1 && smaller[0]["reason"] as? String == "settings")
        #expect(smaller.first?["kept"] as? [String] == [])
        #expect(try files().keys.sorted() == names + ["c-picture0.png"])
        // A file changed by the user no longer belongs to the export.
        try write("mine", to: "a-picture0.png")
        let pruned = try export(
            ids[0], ids[1], "--name", "c-{name}", "--size", "8x8", "--prune", "--overwrite",
            "never")
        #expect(pruned.last?["path"] as? String == folder + "/b-picture0.png", "\(pruned)")
        #expect(pruned.last?["removed"] as? Bool == true)
        #expect(
            try files().keys.sorted() == ["a-picture0.png", "a-picture1.png", "c-picture0.png"])
        #expect(try files()["a-picture0.png"] == Data("mine".utf8))
    }

    @Test("-prune replaces the exported file of a renamed photo")
    func renamedPruning() throws {
        _ = try export(ids[0], "--name", "a-{name}")
        let result = try bench.run(
            "export", ids[0], "--to", folder, "--name", "b-{name}", "--prune")
        #expect(
            result.output == "\(folder)/b-picture0.png\nremoved \(folder)/a-picture0.png\n",
            "\(result.output)")
        let lines = try export(ids[0], "--name", "c-{name}", "--prune")
        #expect(lines.first?["replaced"] as? [String] == [folder + "/b-picture0.png"])
        #expect(try files().keys.sorted() == ["c-picture0.png"])
    }

    @Test("a restored name reuses its former file unless another program changed it")
    func renamedBack() throws {
        for name in ["a-{name}", "b-{name}", "a-{name}"] {
            _ = try export(ids[0], "--name", name)
        }
        #expect(try files().keys.sorted() == ["a-picture0.png", "b-picture0.png"])
        // The same holds if the contents have changed.
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        let back = try export(ids[0], "--name", "b-{name}{sequence}")
        #expect(back[0]["path"] as? String == folder + "/b-picture0.png", "\(back)")
        #expect(back[0]["kept"] as? [String] == [folder + "/a-picture0.png"])
        try write("mine", to: "a-picture0.png")
        let foreign = try export(ids[0], "--name", "a-{name}{sequence}")
        #expect(foreign[0]["path"] as? String == folder + "/a-picture0-1.png", "\(foreign)")
        #expect(try files()["a-picture0.png"] == Data("mine".utf8))
        _ = try export(ids[0], "--name", "a-{name}{sequence}", "--prune")
        #expect(try files().keys.sorted() == ["a-picture0-1.png", "a-picture0.png"])
    }

    @Test("a file with both names on a case-insensitive file system is not removed")
    func sameFile() throws {
        _ = try export(ids[0], "--name", "a-{name}")
        try FileManager.default.linkItem(
            atPath: folder + "/a-picture0.png", toPath: folder + "/b-picture0.png")
        let lines = try export(ids[0], "--name", "b-{name}", "--prune")
        #expect(lines.count == 1 && lines[0]["reason"] as? String == "present", "\(lines)")
        #expect(lines[0]["replaced"] as? [String] == [] && lines[0]["kept"] as? [String] == [])
        #expect(try files().keys.sorted() == ["a-picture0.png", "b-picture0.png"])
    }
}
