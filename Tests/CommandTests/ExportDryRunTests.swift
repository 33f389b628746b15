// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `export --dry-run`, and of `--prune` with modified sidecars.
@Suite("dry runs of exports")
struct ExportDryRunTests: ExportingTests {
    let bench: Workbench
    let folder: String
    private let ids: [String]

    init() throws {
        (bench, ids) = try Workbench.withPhotos(4)
        folder = bench.folder.file("out")
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        try bench.assumeReproducing()
    }

    private func edit(_ ids: String..., amount: Int) throws {
        _ = try bench.json(["edit"] + ids + ["--with", "adder", "--set", "amount=\(amount)"])
    }

    /// Expects a dry run to print what the export prints, and to change nothing.
    ///
    /// - Returns: The reasons.
    @discardableResult
    private func expectAgreement(_ arguments: String...) throws -> [String] {
        let command = ["export", "--to", folder] + arguments
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let before = try FolderRecord(folder)
        let planned = try bench.run(command + ["--json", "--dry-run"])
        let explained = try bench.run(command + ["--explain", "--dry-run"])
        #expect(try FolderRecord(folder).differences(from: before) == [])
        #expect(planned.errors.contains("nothing was written or removed"), "\(planned.errors)")
        let done = try bench.run(command + ["--json"])
        #expect(planned.status == done.status && explained.status == done.status)
        #expect(planned.output == done.output, "\(planned)\n\(done)")
        for path in try done.objects.compactMap({ $0["path"] as? String }) {
            #expect(explained.output.contains(path), "\(explained.output)")
        }
        return try done.objects.compactMap { $0["reason"] as? String }
    }

    @Test("a dry run prints the files that the next export writes, keeps and removes")
    func agreement() throws {
        #expect(try expectAgreement(ids[0], ids[1], ids[2]) == ["new", "new", "new"])
        try edit(ids[0], amount: 7)
        try write("foreign", to: "picture3.png")
        let reasons = try expectAgreement(ids[0], ids[1], ids[3], "--prune")
        #expect(reasons == ["content", "unchanged", "new"])
        #expect(
            try files().keys.sorted() == [
                "picture0.png", "picture1.png", "picture3-1.png", "picture3.png",
            ])
        // Equal names among the new files.
        try expectAgreement("--all", "--name", "x/same{sequence}", "--format", "jpeg")
        try expectAgreement("--all", "--name", "x/y/same{sequence}", "--format", "jpeg")
        try expectAgreement("--all", "--name", "x/same{sequence}", "--format", "jpeg", "--prune")
        _ = try bench.json("set", ids[1], "--rating", "4")
        try expectAgreement("--all", "--sidecar", "xmp", "--metadata", "library")
        try expectAgreement("--all", "--metadata", "library", "--prune")
        try expectAgreement("--all", "--overwrite", "never")
        try FileManager.default.removeItem(atPath: folder + "/picture1.png")
        try expectAgreement("--all", "--overwrite", "never")
        // A taken name without a number is a failure.
        try expectAgreement(ids[0], ids[1], "--name", "one")
    }

    @Test("without a record, files that have the right bytes are recognised")
    func recognised() throws {
        _ = try export(ids[0], ids[1])
        try FileManager.default.removeItem(atPath: folder + "/" + ExportedFiles.record)
        try write("modified", to: "picture1.png")
        #expect(try expectAgreement(ids[0], ids[1]) == ["present", "new"])
    }

    @Test("a missing folder is not created")
    func missingFolder() throws {
        let deep = folder + "/a/b"
        let rows = try bench.json("export", ids[0], ids[1], "--to", deep, "--dry-run")
        #expect(
            rows.compactMap { $0["path"] as? String } == [
                deep + "/picture0.png", deep + "/picture1.png",
            ])
        #expect(!FileManager.default.fileExists(atPath: folder))
        let left = try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("tmp"))
        #expect(left == [])
        let library = bench.folder.file("Photos.editlibrary")
        let inside = try bench.run("export", ids[0], "--to", library + "/x", "--dry-run")
        #expect(inside.status == 64, "\(inside)")
    }

    @Test("stale pictures are reported with the reason, and not rendered")
    func stale() throws {
        try edit(ids[0], ids[1], amount: 7)
        _ = try export(ids[0], ids[1])
        try TestExtension.buildAdder(
            defines: ["DRAWS_ELSE", "VERSION=\"2.0\""], manifest: ["version": "2.0"],
            in: bench.folder.file("extensions"))
        let rows = try export(ids[0], ids[1], "--dry-run")
        #expect(rows.compactMap { $0["reason"] as? String } == ["rerendered", "rerendered"])
        #expect(rows.first?["change"] as? String == "org.example.adder 1.0 became 2.0")
        let stale = try bench.json("rerender", "--all", "--dry-run").last?["rendered"] as? Int
        #expect(stale == 2)
        #expect(try expectAgreement(ids[0], ids[1]) == ["rerendered", "rerendered"])
    }

    /// Adds text to the end of an exported file.
    private func modify(_ name: String) throws {
        let path = folder + "/" + name
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path)) + Data("\n".utf8)
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test(
        "a picture and its sidecar are pruned together, and a message names the modified one",
        arguments: [("picture0.png.xmp", "picture0.png"), ("picture0.png", "picture0.png.xmp")])
    func modifiedSidecar(modified: String, other: String) throws {
        // A sidecar is written only for a photo with metadata.
        _ = try bench.json("set", ids[0], "--rating", "4")
        _ = try export(ids[0], ids[1], "--sidecar", "xmp")
        try modify(modified)
        // A plain export names the modified file, too.
        let kept = try bench.run("export", ids[0], "--sidecar", "xmp", "--to", folder)
        let words = "modified since it was exported"
        let name = modified.hasSuffix(".xmp") ? "kept: \(folder)/\(modified) was " : "kept: "
        #expect(kept.errors.contains(name + words), "\(kept.errors)")
        try expectPruning(modified, other)
    }

    private func expectPruning(_ modified: String, _ other: String) throws {
        let words = "modified since it was exported"
        let prune = ["export", ids[2], "--to", folder, "--prune"]
        for options in [["--dry-run"], []] {
            let result = try bench.run(prune + options)
            #expect(result.status == 0)
            #expect(
                result.errors.contains("\(folder)/\(modified): kept: \(words)"),
                "\(result.errors)")
            #expect(
                result.errors.contains(
                    "\(folder)/\(other): kept: a file exported with it was \(words)"),
                "\(result.errors)")
            #expect(result.output.contains("removed \(folder)/picture1.png\n"), "\(result.output)")
        }
        #expect(
            try files().keys.sorted() == ["picture0.png", "picture0.png.xmp", "picture2.png"])
    }

    @Test("an earlier picture is not removed from beside its modified sidecar")
    func modifiedEarlierSidecar() throws {
        _ = try bench.json("set", ids[0], "--rating", "4")
        _ = try export(ids[0], "--sidecar", "xmp")
        try modify("picture0.png.xmp")
        _ = try bench.json("set", ids[0], "--rating", "3")
        let again = try bench.run("export", ids[0], "--sidecar", "xmp", "--to", folder, "--json")
        #expect(try again.objects.first?["path"] as? String == folder + "/picture0-1.png")
        #expect(!again.errors.contains("--prune removes it"), "\(again.errors)")
        let before = try files()
        // The sidecar is still known to belong to the earlier picture.
        let pruned = try bench.run("export", ids[0], "--sidecar", "xmp", "--to", folder, "--prune")
        #expect(
            pruned.errors.contains("picture0.png was kept, because a file exported with it")
                || pruned.errors.contains("picture0.png: kept: a file exported with it"),
            "\(pruned.errors)")
        #expect(try files() == before)
        #expect(before.count == 4)
    }

    /// Imports a Live Photo.
    private func livePhoto() throws -> String {
        let pair = bench.folder.file("pair")
        try FileManager.default.createDirectory(atPath: pair, withIntermediateDirectories: true)
        let identifier = UUID().uuidString
        try TestLivePhoto.makeStill(pair + "/IMG_1.jpg", identifier)
        try TestLivePhoto.makeVideo(pair + "/IMG_1.mov", identifier)
        return try #require(try bench.json("import", pair).last?["id"] as? String)
    }

    @Test("the files of a Live Photo stay together if its sidecar was modified")
    func modifiedSidecarOfLivePhoto() throws {
        let id = try livePhoto()
        _ = try bench.json("set", id, "--rating", "4")
        _ = try export(id, "--sidecar", "xmp")
        let names = ["IMG_1.jpg", "IMG_1.jpg.xmp", "IMG_1.mov"]
        #expect(try files().keys.sorted() == names)
        try modify("IMG_1.jpg.xmp")
        _ = try export(ids[0], "--prune")
        #expect(try files().keys.sorted() == names + ["picture0.png"])
    }

    @Test("a Live Photo without motion is exported as its still by --live pair")
    func pairWithoutMotion() throws {
        let id = try livePhoto()
        try TestExtension.assemble("SepiaFilter", in: bench.folder.file("extensions"))
        _ = try bench.json("edit", id, "--with", "sepia", "--still-only")
        #expect(try expectAgreement(id, "--live", "pair") == ["new"])
    }

    @Test("a video whose container cannot be written without re-encoding is refused")
    func refusedVideo() throws {
        let path = bench.folder.file("untimed.avi")
        try TestVideo.make(
            path, size: "64x64", seconds: 1, ["-c:v", "mpeg4", "-bf", "2", "-c:a", "mp2"])
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        // Only the picture is exported.
        #expect(try expectAgreement(ids[0], id, "--no-location") == ["new"])
        #expect(try expectAgreement(ids[1], id, "--video-codec", "h264") == ["new", "new"])
    }

    @Test("--live motion prints its refusals and files")
    func livePhotoAsOneFile() throws {
        let id = try livePhoto()
        #expect(try expectAgreement(ids[0], id, "--live", "motion") == ["new", "new"])
        // The dry run knows the bytes, so it finds the file without a record.
        try FileManager.default.removeItem(atPath: folder + "/" + ExportedFiles.record)
        #expect(try expectAgreement(id, "--live", "motion") == ["present"])
        #expect(try expectAgreement(ids[1], id, "--live", "motion", "--format", "png") == ["new"])
        let pair = bench.folder.file("matroska")
        try FileManager.default.createDirectory(atPath: pair, withIntermediateDirectories: true)
        try TestLivePhoto.makeStill(pair + "/IMG_2.jpg", UUID().uuidString)
        try TestVideo.make(pair + "/IMG_2.mov", size: "96x72", seconds: 1, ["-f", "matroska"])
        let other = try #require(try bench.json("import", pair).last?["id"] as? String)
        #expect(try expectAgreement(ids[2], other, "--live", "motion") == ["new"])
        #expect(try expectAgreement(other, "--live", "still") == ["new"])
    }

    /// Removes the stored original of a photo or video.
    private func removeOriginal(of id: String, _ type: String = "photo") throws {
        let original = try bench.json("resources", id).first { $0["type"] as? String == type }
        let hash = try #require(original?["hash"] as? String)
        #expect(unlink("\(bench.library)/blobs/\(hash.prefix(2))/\(hash)") == 0)
    }

    @Test("a missing stored original of an edited picture or a video is an error")
    func missingStoredOriginal() throws {
        try edit(ids[0], amount: 7)
        try removeOriginal(of: ids[0])
        #expect(try expectAgreement(ids[1], ids[0], "--size", "20x20") == ["new"])
        let path = bench.folder.file("clip.mov")
        try TestLivePhoto.makeVideo(path, nil)
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        try removeOriginal(of: id, "video")
        #expect(try expectAgreement(ids[2], id, "--video-codec", "h264") == ["new"])
    }

    @Test("the format of a file whose metadata cannot be changed is that of the export", .corpus)
    func untaggable() throws {
        let path = try Corpus.path("photos/avif/colors-animated-8bpc.avif")
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        try expectAgreement(id, "--metadata", "none")
        try expectAgreement(id, "--metadata", "none", "--prune")
        try expectAgreement(id, "--no-location")
    }

    @Test("--prune is rejected with the filter --stale")
    func pruneStale() throws {
        try edit(ids[0], amount: 7)
        _ = try export(ids[0])
        for options in [[], ["--dry-run"]] {
            let result = try bench.run(
                ["export", "--stale", "--prune", "--to", folder] + options)
            #expect(result.status == 64, "\(result)")
        }
        #expect(try files().count == 1)
    }

    @Test("a folder that cannot be created is an error")
    func uncreatableFolder() throws {
        try Data().write(to: URL(fileURLWithPath: bench.folder.file("file")))
        for path in ["", "file", "file/a", "file/a/b"] {
            for options in [["--dry-run"], []] {
                let result = try bench.run(["export", ids[0], "--to", path] + options)
                #expect(result.status == 73, "\(path): \(result)")
            }
        }
    }

    @Test("a missing original of a converted picture is an error")
    func missingOriginal() throws {
        let path = try bench.picture(seed: 9, name: "other.png")
        let id = try #require(
            try bench.json("import", "--reference", path).first?["id"] as? String)
        try FileManager.default.removeItem(atPath: path)
        let size = ["export", id, "--size", "10x10", "--to", folder]
        let planned = try bench.run(size + ["--dry-run"])
        let done = try bench.run(size)
        #expect(planned.status != 0 && planned.status == done.status, "\(planned)\n\(done)")
    }
}
