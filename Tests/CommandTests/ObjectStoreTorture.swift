// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A plan, its inputs and its results in a bucket of an S3 store that rclone mounts, once for the library's machine and
/// once for a node, compared with `rerender` on one machine.
@Suite("re-rendering through an object store", .torture, .objectStore)
struct ObjectStoreTorture {
    @Test("a plan in a mounted bucket gives the files and keys of rerender")
    func plan() throws {
        let (bench, ids) = try Workbench.withStaleEdits()
        let rerendered = try bench.rerenderedCopy()
        let script = """
            edithost work plan "$library/plan" --all --shards 3 --inputs copy
            wait_until uploaded
            plan=$(sha256sum "$library/plan/plan.json" | cut -c1-64)
            for shard in 0 1 2; do edithost work run "$node/plan" --plan "$plan" --shard $shard; done
            wait_until uploaded
            edithost work status "$library/plan" --json
            edithost work commit "$library/plan" --audit 10
            """
        let output = try Self.run(script, bench)
        #expect(output.contains("\(ids.count) committed"), "\(output)")
        try bench.expectAllRerendered(ids.count, with: rerendered)
    }

    private static func run(_ script: String, _ bench: Workbench) throws -> String {
        let folder = bench.folder.file("store")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let program = "\(BuildProducts.packageFolder)/Tests/TestSupport/Programs/object-store"
        let bin = (try Workbench.command as NSString).deletingLastPathComponent
        let result = try runProgram(
            "/usr/bin/timeout",
            [
                "--kill-after=5", "300", "unshare", "--mount", "--net", "--pid", "--fork",
                "--kill-child", "--mount-proc", program, folder, script,
            ], environment: bench.environment(["PATH": "\(bin):\(searchPath)"]))
        let log = (try? String(contentsOfFile: "\(folder)/rclone.log", encoding: .utf8)) ?? ""
        try #require(result.status == 0, "\(result.output)\(result.errors)\(log)")
        return result.output
    }
}

extension Trait where Self == ConditionTrait {
    /// Needs root, namespaces, rclone and moto (`apt install rclone fuse3`, `pip install 'moto[s3,server]'`).
    fileprivate static var objectStore: Self {
        .enabled(if: canMountStore, "it needs root, namespaces, rclone, fuse3 and moto_server")
    }
}

/// The folders of the machine's programs; pip may have its own.
private var searchPath: String {
    ProcessInfo.processInfo.environment["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin"
}

private var canMountStore: Bool {
    let programs = ["rclone", "fusermount3", "moto_server", "ip", "curl"]
    let checks = programs.map { "command -v \($0)" } + ["test -w /dev/fuse"]
    let result = try? runProgram(
        "/usr/bin/unshare",
        [
            "--mount", "--net", "--pid", "--fork", "sh", "-c", checks.joined(separator: " && "),
        ], environment: ["PATH": searchPath])
    return result?.status == 0
}
