// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of exports whose stored files were truncated to nothing, which a dry run must not take for files that it has
/// not rendered.
@Suite("exports of truncated originals")
struct TruncatedExportTests: ExportingTests {
    let bench: Workbench
    let folder: String

    init() throws {
        bench = try Workbench()
        folder = bench.folder.file("out")
        try FileManager.default.createDirectory(
            atPath: bench.folder.file("pair"), withIntermediateDirectories: true)
    }

    private func importedVideo() throws -> String {
        let path = bench.folder.file("clip.mov")
        try TestLivePhoto.makeVideo(path, nil)
        return try #require(try bench.json("import", path).first?["id"] as? String)
    }

    /// A Live Photo whose video has no identifier, so that it is remuxed for a pair.
    private func importedLivePhoto() throws -> String {
        let pair = bench.folder.file("pair")
        try TestLivePhoto.makeStill(pair + "/a.jpg", UUID().uuidString)
        try TestLivePhoto.makeVideo(pair + "/a.mov", nil)
        return try #require(try bench.json("import", pair).first?["id"] as? String)
    }

    private func truncateOriginal(of id: String, _ type: String) throws {
        let original = try bench.json("resources", id).first { $0["type"] as? String == type }
        let hash = try #require(original?["hash"] as? String)
        let path = "\(bench.library)/blobs/\(hash.prefix(2))/\(hash)"
        try #require(chmod(path, 0o644) == 0 && truncate(path, 0) == 0)
    }

    /// Exports a photo, truncates one of its files, and expects further exports and dry runs to fail.
    private func expectDamage(_ id: String, _ type: String, _ options: [String]) throws {
        let command = ["export", id, "--to", folder, "--overwrite", "always", "--json"] + options
        let first = try bench.run(command)
        try #require(first.status == 0, "\(first)")
        let good = try files()
        try #require(!good.isEmpty && good.values.allSatisfy { !$0.isEmpty })
        try truncateOriginal(of: id, type)
        for more in [[], ["--dry-run"]] {
            let result = try bench.run(command + more)
            #expect(result.status == 65, "\(options + more): \(result)")
            let codes = try result.objects.compactMap { $0["errorCode"] as? String }
            #expect(codes.contains("originalDamaged"), "\(options + more): \(result)")
            #expect(try files() == good)
        }
    }

    @Test("a truncated video is not exported without its location")
    func video() throws {
        try expectDamage(importedVideo(), "video", ["--no-location"])
    }

    @Test(
        "a Live Photo with a truncated file is not exported", arguments: ["photo", "pairedVideo"],
        ["motion", "pair"])
    func livePhoto(type: String, part: String) throws {
        try expectDamage(importedLivePhoto(), type, ["--live", part])
    }
}
