// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Reports of the parts of a photo that an edit leaves out, before and after the first edit.
@Suite("metadata and parts that edits leave out")
struct EditLossTests {
    /// Imports a file that must result in one photo.
    private static func imported(_ bench: Workbench, _ path: String) throws -> String {
        try #require(try bench.json("import", path).first?["id"] as? String)
    }

    /// A GIF animation with the given number of frames.
    private static func animation(_ bench: Workbench, frames: Int) throws -> String {
        let path = bench.folder.file("photos/moving.gif")
        let made = try runProgram(
            "/usr/bin/env",
            [
                "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "testsrc=size=32x24:rate=\(frames):duration=1", path,
            ])
        try #require(made.status == 0, "\(made.errors)")
        return path
    }

    @Test("show and preview report lost animation before the first edit; edit reports it once")
    func animation() throws {
        let bench = try Workbench(extensions: ["SepiaFilter"])
        let id = try Self.imported(bench, try Self.animation(bench, frames: 3))
        let words = "edited pictures do not include the other 2 frames; the original keeps it"
        func expectSaid(_ value: Any?, _ comment: Comment) {
            let text = value as? String ?? (value as? [String])?.joined() ?? ""
            #expect(text.contains("do not include the other 2 frames"), comment)
        }
        expectSaid(try bench.json("show", id).first?["editLoss"], "show")
        #expect(try bench.run("show", id).output.contains(words))
        let file = bench.folder.file("preview.png")
        let preview = ["preview", id, "--with", "sepia", "--output", file]
        expectSaid(try bench.json(preview).first?["warnings"], "preview")
        #expect(try bench.run(preview).errors.contains(words))

        let edited = try bench.run("edit", id, "--with", "sepia")
        #expect(edited.status == 0 && edited.errors.contains(words), "\(edited.errors)")
        let again = try bench.json("edit", id, "--with", "sepia", "--set", "intensity=0.2")
        #expect(again.first?["warnings"] as? [String] == [])
        _ = try bench.run("revert", id)
        expectSaid(
            try bench.json("edit", id, "--with", "sepia").first?["warnings"], "after a revert")
    }

    @Test("a plain photo has no losses to report")
    func plain() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        #expect(try bench.json("show", ids[0]).first?["editLoss"] is NSNull)
        let edited = try bench.json("edit", ids[0], "--with", "sepia")
        #expect(edited.first?["warnings"] as? [String] == [])
    }

    @Test("a phone's gain map, mattes and depth are reported by name", .corpus)
    func phones() throws {
        let bench = try Workbench(extensions: ["SepiaFilter"])
        let corpus = try #require(BuildProducts.corpus)
        let id = try Self.imported(bench, "\(corpus)/cameras/iphone15promax_ios26.HEIC")
        let loss = try bench.json("show", id).first?["editLoss"] as? String ?? ""
        #expect(loss.contains("the gain map"), "\(loss)")
    }
}
