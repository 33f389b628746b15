// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `--json --progress`.
@Suite("machine-readable progress")
struct ProgressTests {
    /// The progress lines and the other lines.
    private func lines(
        _ result: ProcessResult
    ) throws -> (progress: [[String: Any]], others: [[String: Any]]) {
        let all = try result.objects
        return (
            all.compactMap { $0["progress"] as? [String: Any] },
            all.filter { $0["progress"] == nil }
        )
    }

    @Test(
        "long operations end with a line of done and failed counts")
    func told() throws {
        let bench = try Workbench(extensions: ["SepiaFilter"])
        let folder = bench.folder.file("photos")
        for seed in 0..<3 {
            try TestPicture.gradient().adding(seed).encoded()
                .write(to: URL(fileURLWithPath: "\(folder)/\(seed).png"))
        }
        let bad = Data("\u{89}PNG\r\n\u{1A}\n and no more".unicodeScalars.map { UInt8($0.value) })
        try bad.write(to: URL(fileURLWithPath: "\(folder)/bad.png"))
        let imported = try lines(bench.run("import", folder, "--json", "--progress"))
        #expect(imported.others.count == 4)
        let last = try #require(imported.progress.last)
        #expect(last["done"] as? Int == 4 && last["total"] as? Int == 4)
        #expect(last["failed"] as? Int == 1)
        #expect(
            Set(last.keys) == [
                "done", "total", "fraction", "failed", "perSecond", "framesPerSecond",
                "secondsLeft",
            ])
        for arguments in [
            ["edit", "--all", "--with", "sepia"],
            ["edit", "--all", "--with", "sepia", "--set", "intensity=0.5", "--keep-going"],
            ["rerender", "--all", "--force"],
            ["export", "--all", "--to", bench.folder.file("out")],
            ["undo", "--all"],
        ] {
            let result = try bench.run(arguments + ["--json", "--progress"])
            #expect(result.status == 0, "\(arguments): \(result.errors)")
            let end = try #require(try lines(result).progress.last, "\(arguments)")
            #expect(end["done"] as? Int == 3 && end["total"] as? Int == 3, "\(arguments)")
            #expect(end["failed"] as? Int == 0)
        }
        let checked = try lines(bench.run("check", "--json", "--progress"))
        let files = try #require(checked.others.last?["files"] as? Int)
        #expect(checked.progress.last?["done"] as? Int == files)
        // The final progress is reported only once.
        let id = try #require(bench.json("list").first?["id"] as? String)
        for arguments in [["rerender", id, "--force"], ["export", id, "--to", folder + "-one"]] {
            let one = try lines(bench.run(arguments + ["--json", "--progress"])).progress
            #expect(one.count { $0["done"] as? Int == 1 } == 1, "\(arguments): \(one)")
        }
        // Without `--progress`, nothing is reported.
        let quiet = try lines(bench.run("rerender", "--all", "--force", "--json"))
        #expect(quiet.progress.isEmpty)
    }

    @Test("editing, re-rendering and exporting videos report frames")
    func videos() throws {
        let bench = try Workbench(extensions: ["SepiaFilter"])
        let path = bench.folder.file("long.mp4")
        // The first frame is reported immediately, others at most five times a second.
        try TestVideo.make(path, size: "640x480", seconds: 12, ["-preset", "ultrafast"])
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        for arguments in [
            ["edit", id, "--with", "sepia"], ["rerender", id, "--force"],
            ["export", id, "--to", bench.folder.file("out"), "--crf", "30"],
        ] {
            let result = try bench.run(arguments + ["--json", "--progress"])
            #expect(result.status == 0, "\(arguments): \(result.errors)")
            let told = try lines(result).progress
            let fractions = told.compactMap { $0["fraction"] as? Double }
            #expect(fractions == fractions.sorted() && fractions.last == 1, "\(fractions)")
            #expect(fractions.contains { $0 > 0 && $0 < 1 }, "\(arguments): \(fractions)")
            // The rate covers all 300 frames and the whole duration.
            let last = try #require(told.last)
            let rate = last["framesPerSecond"] as? Double
            let whole = last["perSecond"] as? Double
            #expect((rate == nil) == (whole == nil))
            if let rate, let whole { #expect(abs(rate / whole - 300) < 1, "\(rate), \(whole)") }
        }
    }
}
