// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Library

/// A library on its own small disk, which is filled to the last byte and freed again.
enum SmallDisk {
    /// Runs a script in a private mount namespace.
    private static func run(_ script: String, _ arguments: [String]) throws -> ProcessResult {
        try runProgram(
            "/usr/bin/env",
            ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]
                + arguments)
    }

    static let canMount: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? run("mount -t tmpfs none \"$1\"", [folder.path]))?.status == 0
    }()

    /// $1: mount point; $2: driver; $3: command; $4: rendition of "new"; $5: size of a photo
    /// in bytes; $6: size of the disk.
    private static let script = """
        say() { echo "$1 $2"; }
        mount -t tmpfs -o size=$6 none "$1" || exit 1
        cd "$1" || exit 1
        export XDG_CONFIG_HOME=/nonexistent HOME=/nonexistent
        library="$1/Full.editlibrary"
        "$2" "$library" create >&2; say create $?
        "$2" "$library" fill $5 > "$4.filled"; say fill $?
        say filled $(grep -c committed "$4.filled")
        "$3" check --read-data 100 --library "$library" >&2; say check $?
        dd if=/dev/zero of="$1/filler" bs=4096 2>/dev/null
        say free $(df --output=avail "$1" | tail -1)
        "$2" "$library" edit new "$4" >&2; say edit-full $?
        "$3" list --library "$library" > "$4.list"; say list $?
        say listed $(grep -c photograph "$4.list"; true)
        id=$("$3" list --library "$library" --json | head -1 | cut -d'"' -f4)
        "$3" show "$id" --library "$library" >&2; say show $?
        "$3" export "$id" --version original --to "$4.exported" --library "$library" >&2
        say export $?
        "$3" check --read-data 100 --library "$library" >&2; say check-full $?
        dd if=/dev/zero of="$1/more" bs=4096 2>/dev/null
        "$3" delete "$id" --library "$library" >&2; say delete-one $?
        "$2" "$library" delete >&2; say delete $?
        "$3" prune --empty-trash --library "$library" >&2; say prune $?
        say reserve $(test -e "$library/reserve" && echo 0 || echo 1)
        "$2" "$library" edit new "$4" >&2; say edit $?
        "$3" check --read-data 100 --library "$library" >&2; say check-end $?
        """

    static func fill(bytes: Int, size: String) throws -> [String: Int] {
        let folder = try TemporaryFolder()
        let place = folder.file("disk")
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        let rendition = try folder.write(Data("render of new".utf8), to: "rendition.jpg")
        let result = try run(
            script,
            [
                place, DriverStage.driver, BuildProducts.command, rendition, "\(bytes)", size,
            ])
        var values: [String: Int] = [:]
        for line in result.output.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2 { values[String(words[0])] = Int(words[1]) }
        }
        values["end"] = Int(result.status)
        if values["check-end"] != 0 { Issue.record("\(result.output)\n\(result.errors)") }
        return values
    }

    static func expectSurvival(_ values: [String: Int]) {
        #expect(values["create"] == 0)
        #expect(values["fill"] == 73 && values["filled"] ?? 0 > 3)
        #expect(values["check"] ?? 2 < 2)
        #expect(values["free"] == 0)
        #expect(values["edit-full"] == 73)
        for reading in ["list", "show", "export"] { #expect(values[reading] == 0, "\(reading)") }
        #expect(values["check-full"] ?? 2 < 2)
        for freeing in ["delete-one", "delete", "prune", "edit", "check-end"] {
            #expect(values[freeing] == 0, "\(freeing)")
        }
    }
}

/// Skipped if mounting is not permitted. It requires root or user namespaces.
@Suite("full disk", .enabled(if: SmallDisk.canMount, "no file system can be mounted here"))
struct FullDiskTests {
    @Test("on a full disk writes fail without loss, and reading and freeing space work")
    func small() throws {
        SmallDisk.expectSurvival(try SmallDisk.fill(bytes: 2_000_000, size: "32m"))
    }
}

@Suite(
    "full disk of 64 MB", .enabled(if: SmallDisk.canMount, "no file system can be mounted here"),
    .torture)
struct FullDiskTorture {
    @Test(
        "a 64 MB disk full of small and large files loses nothing",
        arguments: [3000, 5_000_000])
    func large(bytes: Int) throws {
        let values = try SmallDisk.fill(bytes: bytes, size: "64m")
        print(
            "64 MB, \(values["filled"] ?? 0) photos of \(bytes) bytes until it was full")
        SmallDisk.expectSurvival(values)
    }
}
