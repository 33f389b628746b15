// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Exports of pictures from the library.
@Suite("export")
struct ExportTests {
    /// A photo edited by three extensions.
    private func edited() throws -> (Workbench, String, original: Data) {
        let bench = try Workbench()
        let folder = bench.folder.file("extensions")
        for name in ["first", "second", "third"] {
            try TestExtension.buildAdder("org.example.\(name)", in: folder)
        }
        let path = try bench.picture()
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        for (index, name) in ["first", "second", "third"].enumerated() {
            _ = try bench.json("edit", id, "--with", name, "--set", "amount=\(index + 1)")
        }
        return (bench, id, try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test("I-16 current includes all edits and is the stored rendition, byte for byte")
    func current() throws {
        let (bench, id, _) = try edited()
        let (bytes, picture) = try bench.exported(id, "current")
        #expect(picture == TestPicture.gradient().adding(6))
        let blobs = bench.folder.file("Photos.editlibrary/blobs")
        let stored = try FileManager.default.subpathsOfDirectory(atPath: blobs).compactMap {
            FileManager.default.contents(atPath: "\(blobs)/\($0)")
        }
        #expect(stored.contains(bytes))
    }

    @Test("I-17 unadjusted has the imported pixels after three edits by three plug-ins")
    func unadjusted() throws {
        let (bench, id, _) = try edited()
        #expect(try bench.exported(id, "unadjusted").picture == TestPicture.gradient())
    }

    @Test("I-18 original has the imported bytes after three edits by three plug-ins")
    func original() throws {
        let (bench, id, original) = try edited()
        #expect(try bench.exported(id, "original").bytes == original)
    }

    @Test("name clashes get the suffixes -1 and -2; nothing is overwritten")
    func clash() throws {
        let bench = try Workbench()
        let ids = try (0..<3).map { try bench.importPicture(seed: $0, name: "picture0.png") }
        let folder = bench.folder.file("out")
        let names = try ids.map { id in
            let path = try bench.json("export", id, "--to", folder).first?["path"] as? String
            return try #require(path as NSString?).lastPathComponent
        }
        #expect(names == ["picture0.png", "picture0-1.png", "picture0-2.png"])
    }

    @Test("exported files have the capture date as their modification time, by the camera's clock")
    func modificationTimes() throws {
        let (bench, ids) = try Workbench.withPhotos(4)
        let dates = [
            "2024-05-31T18:30:00.75+02:00", "1956-07-08T09:10:11", "2024-03-10T03:30:00", "none",
        ]
        for (id, date) in zip(ids, dates) { _ = try bench.json("set", id, "--date", date) }
        func times(_ folder: String, _ options: String...) throws -> [Int] {
            let export = ["export"] + ids + ["--to", folder, "--json"] + options
            // The rule of New York, whose clocks went from 2:00 to 3:00 on 2024-03-10.
            let zone = ["TZ": "EST5EDT,M3.2.0,M11.1.0"]
            let result = try runProgram(
                Workbench.command, export, environment: bench.environment(zone),
                folder: bench.folder.path)
            #expect(result.status == 0, "\(result.errors)")
            return try result.objects.map { row in
                let path = bench.folder.file(try #require(row["path"] as? String))
                let seconds = try runProgram("/usr/bin/stat", ["-c", "%Y", path]).output
                return try #require(Int(seconds.dropLast()))
            }
        }
        let before = Int(Date().timeIntervalSince1970)
        let captured = try times("captured")
        // 16:30:00, 13:10:11 (or 14:10:11 without summer time) and 07:30:00 UTC.
        #expect(captured[0] == 1_717_173_000)
        #expect([-425_472_589, -425_468_989].contains(captured[1]))
        #expect(captured[2] == 1_710_055_800)
        #expect(captured[3] > before - 60)
        #expect(try times("now", "--mtime", "now").allSatisfy { $0 > before - 60 })
        // The record has the times that the files have, so the next export reads no file.
        let record = try String(
            contentsOfFile: bench.folder.file("captured/.edithost-export.jsonl"), encoding: .utf8)
        for name in try FileManager.default.contentsOfDirectory(
            atPath: bench.folder.file("captured")) where name.hasPrefix("picture")
        {
            let path = bench.folder.file("captured/\(name)")
            var status = stat()
            #expect(stat(path, &status) == 0)
            let nanoseconds = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
            #expect(record.contains(":\(nanoseconds)"), "\(name)")
        }
    }

    @Test("two files of the same date and size have different modification times")
    func sameSize() throws {
        let (bench, ids) = try Workbench.withPhotos(2)
        var times: Set<String> = []
        for id in ids {
            _ = try bench.json("set", id, "--date", "2024-05-31T18:30:00Z")
            let row = try #require(try bench.json("export", id, "--to", "out").first)
            let path = bench.folder.file(try #require(row["path"] as? String))
            let time = try runProgram("/usr/bin/stat", ["-c", "%.9Y", path]).output
            #expect(time.hasPrefix("1717180200."))
            times.insert(time)
        }
        #expect(times.count == 2)
    }

    @Test("export works on a file system without links, such as FAT")
    func withoutLinks() throws {
        let bench = try Workbench()
        let ids = try (0..<2).map { try bench.importPicture(seed: $0, name: "picture0.png") }
        let source = try bench.folder.write(
            Data("#include <errno.h>\nint link() { errno = EPERM; return -1; }\n".utf8),
            to: "nolinks.c")
        try TestExtension.compile(source, to: bench.folder.file("nolinks.so"))
        let folder = bench.folder.file("card")
        for (id, name) in zip(ids, ["picture0.png", "picture0-1.png"]) {
            let result = try bench.run(
                "export", id, "--to", folder,
                environment: ["LD_PRELOAD": bench.folder.file("nolinks.so")])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output == "\(folder)/\(name)\n")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            #expect(bytes == (try bench.exported(id, "original").bytes))
        }
        let names = try ExportedFiles.names(in: folder)
        #expect(names == ["picture0-1.png", "picture0.png"])
    }

    @Test("a picture is converted and downscaled, never upscaled")
    func conversion() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let folder = bench.folder.file("out")
        func export(_ arguments: String...) throws -> (String, TestPicture) {
            let result = try runProgram(
                Workbench.command, ["export", ids[0], "--to", folder, "--json"] + arguments,
                environment: bench.environment())
            #expect(result.status == 0, "\(result.errors)")
            let path = try #require(try result.objects.first?["path"] as? String)
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return (path, try TestPicture(decoding: data))
        }
        let (jpeg, large) = try export("--format", "jpeg", "--size", "100x100")
        #expect(jpeg.hasSuffix("/picture0.jpg"))
        #expect((large.width, large.height) == (37, 23))
        let (_, small) = try export("--size", "20x20")
        #expect(small.width == 20)
        #expect(abs(small.height - 12) <= 1)
        let refused = try bench.run("export", ids[0], "--to", folder, "--quality", "50")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("quality"))
    }

    @Test("photos that cannot be exported are reported, and the others are exported")
    func someFail() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        try EditTests.loseOriginal(of: ids[1], in: bench)
        let result = try bench.run("export", "--all", "--to", bench.folder.file("all"), "--json")
        #expect(result.status == 1)
        for object in try result.objects {
            let isBroken = object["id"] as? String == ids[1]
            #expect((object["path"] as? String == nil) == isBroken)
            #expect((object["error"] as? String != nil) == isBroken)
        }
        let names = try ExportedFiles.names(in: bench.folder.file("all"))
        #expect(names == ["picture0.png", "picture2.png"])
    }

    @Test("preview does not change the library")
    func preview() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        let file = bench.folder.file("preview.png")
        let object = try #require(
            try bench.json(
                "preview", ids[0], "--with", "adder", "--set", "amount=20", "--output", file
            ).first)
        #expect(Set(object.keys) == ["id", "path", "pixelWidth", "pixelHeight", "warnings"])
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(try TestPicture(decoding: data) == TestPicture.gradient().adding(20))
        #expect(try bench.position(ids[0]) == (0, 0))
        let refused = try bench.run(
            "preview", ids[0], "--with", "adder", "-o", bench.folder.file("preview.doc"))
        #expect(refused.status == 64)
        // The path is checked before the extension.
        let misplaced = try bench.run(
            "preview", ids[0], "--with", "unknown", "-o", bench.folder.file("missing/preview.png"))
        #expect(misplaced.errors.contains(bench.folder.file("missing")), "\(misplaced.errors)")
    }
}
