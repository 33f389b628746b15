// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Mounts of small file systems in a private mount namespace.
private enum Mounting {
    static let unshare = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]

    static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        let result = try? runProgram(
            "/usr/bin/env", unshare + ["mount -t tmpfs none \"$0\"", folder.path])
        return result?.status == 0
    }()
}

/// Exports to a disk that cannot hold all files.
@Suite(
    "exports on a full disk",
    .enabled(if: Mounting.isPossible, "no file system can be mounted here"))
struct ExportFullDiskTests {
    @Test("export on a full disk writes the files that fit, and its record stays valid")
    func full() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        let path = try bench.folder.write(
            TestPicture.gradient(width: 300, height: 200).encoded(
                "png", options: ["compression": 0]),
            to: "large.png")
        let large = try #require(try bench.json("import", path)[0]["id"] as? String)
        let disk = bench.folder.file("disk")
        try FileManager.default.createDirectory(
            atPath: disk, withIntermediateDirectories: true)
        // The record ends shortly before a page boundary, and the large file is exported first. For one of the fill
        // levels, the disk has room for that file and a part of its line, and for a small file afterwards.
        let script = """
            mount -t tmpfs -o size=1m tmpfs \(disk) || exit 3
            for left in 176 180 184 188; do
              rm -rf \(disk)/*
              while "$0" export \(ids[0]) --overwrite always --to \(disk)/out >/dev/null || exit 4
                size=$(stat -c %s \(disk)/out/.edithost-export.jsonl)
                [ $((size % 4096)) -lt 3750 ]; do :; done
              echo $((size % 4096))
              head -c 2000000 /dev/zero > \(disk)/full 2>/dev/null
              truncate -s -${left}k \(disk)/full
              "$0" export \(large) \(ids[1]) \(ids[2]) --to \(disk)/out >/dev/null 2>&1
              rm \(disk)/full
              "$0" export --all --to \(disk)/out >/dev/null 2>&1; echo "again $?"
              ls \(disk)/out | wc -l
            done
            """
        let result = try runProgram(
            "/usr/bin/env", Mounting.unshare + [script, Workbench.command],
            environment: bench.environment(), folder: bench.folder.path)
        let lines = result.output.split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        try #require(lines.count == 12, "\(result.output)\(result.errors)")
        for turn in stride(from: 0, to: 12, by: 3) {
            let length = try #require(Int(lines[turn]))
            #expect((3750..<4096).contains(length))
            #expect(Array(lines[turn + 1...turn + 2]) == ["again 0", "4"], "\(lines)")
        }
    }
}

/// Edits of videos that do not fit on the disk.
@Suite(
    "videos on a full disk",
    .enabled(if: Mounting.isPossible, "no file system can be mounted here"))
struct VideoFullDiskTests {
    @Test(
        "a disk that fills during a video gives status 73, changes nothing, and a retry works",
        arguments: [false, true])
    func full(ofLivePhoto isLivePhoto: Bool) throws {
        let bench = try Workbench(extensions: ["SepiaFilter"])
        let folder = bench.folder.file("new")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let video = folder + "/noise.mp4"
        // The still is rendered first, and fits.
        if isLivePhoto { try TestLivePhoto.makeStill(folder + "/noise.jpg", "") }
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration=8", "-vf",
            "noise=alls=40:allf=t", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast",
            "-crf", "38", video,
        ])
        let disk = bench.folder.file("disk")
        try FileManager.default.createDirectory(
            atPath: disk, withIntermediateDirectories: true)
        // The disk has room for the original and a part of the edited video, until it is enlarged.
        let script = """
            mount -t tmpfs -o size=5m tmpfs \(disk) || exit 3
            "$0" import "$1" >/dev/null || exit 4
            id=$("$0" list --json | sed -E 's/.*"id":"([^"]*)".*/\\1/')
            "$0" list --json | grep -c '"live"'
            "$0" edit $id --with sepia 2>&1; echo "edit $?"
            "$0" history $id --json | wc -l
            "$0" check --read-data 100 >/dev/null; echo "check $?"
            ls \(disk)/L.editlibrary/staging | wc -l
            mount -o remount,size=50m \(disk) || exit 5
            "$0" edit $id --with sepia >/dev/null; echo "edit $?"
            """
        let result = try runProgram(
            "/usr/bin/env", Mounting.unshare + [script, Workbench.command, folder],
            environment: bench.environment(["EDITHOST_LIBRARY": disk + "/L.editlibrary"]),
            folder: bench.folder.path)
        let lines = result.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 7, "\(result.output)\(result.errors)")
        #expect(lines[0] == (isLivePhoto ? "1" : "0"))
        #expect(lines[1].contains("No space left on device"), "\(lines)")
        #expect(lines[2] == "edit 73")
        #expect(lines[3].trimmingCharacters(in: .whitespaces) == "1")
        #expect(lines[4] == "check 0")
        #expect(lines[5].trimmingCharacters(in: .whitespaces) == "0")
        #expect(lines[6] == "edit 0")
    }
}

/// Shards whose results do not fit on the disk.
@Suite(
    "work on a full disk",
    .enabled(if: Mounting.isPossible, "no file system can be mounted here"))
struct WorkFullDiskTests {
    @Test("results that do not fit give status 73, stay readable, and are completed later")
    func full() throws {
        let (bench, _) = try Workbench.withPhotos(3)
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        try bench.assumeReproducing()
        _ = try bench.json("edit", "--all", "--with", "adder", "--set", "amount=7")
        let plan = bench.folder.file("plan")
        let rows = try bench.json(
            "work", "plan", plan, "--all", "--force", "--shards", "1", "--probe", "off")
        let hash = try #require(rows.compactMap { $0["plan"] as? String }.first)
        let disk = bench.folder.file("disk")
        try FileManager.default.createDirectory(
            atPath: disk, withIntermediateDirectories: true)
        // The disk has room for none, two or three files of one page, and a complete attempt writes more.
        let script = """
            mount -t tmpfs -o size=1m tmpfs \(disk) || exit 3
            cp -r "$1" \(disk)/plan || exit 4
            hash=$2
            run() {
              "$0" work run \(disk)/plan --plan $hash --shard 0 --jobs 1 >/dev/null 2>&1
              echo "run $?"
            }
            for left in 0 8 12; do
              head -c 2000000 /dev/zero > \(disk)/full 2>/dev/null
              truncate -s -${left}k \(disk)/full
              run
              rm \(disk)/full
              "$0" work status \(disk)/plan --json | grep -c '"problems":\\[\\]'
            done
            run
            "$0" work status \(disk)/plan | grep '^3 photos'
            """
        let result = try runProgram(
            "/usr/bin/env", Mounting.unshare + [script, Workbench.command, plan, hash],
            environment: bench.environment(), folder: bench.folder.path)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "run 73", "1", "run 73", "1", "run 73", "1", "run 0",
                "3 photos: 3 rendered (0 committed), 0 failed, 0 left",
            ], "\(result.errors)")
    }
}
