// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The threads on which the program waits for the disk.
@Suite("waiting for the disk")
struct DiskThreadTests {
    @Test("file syncs do not run on Swift concurrency threads")
    func syncs() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let source = "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/tasksync.c"
        let preloaded = bench.folder.file("tasksync.so")
        try TestExtension.compile(source, to: preloaded)
        let path = try bench.picture(seed: 1)
        let commands = [
            ["import", path], ["edit", ids[0], "--with", "sepia"],
            ["edit", ids[0], "--with", "sepia", "--set", "intensity=0.5"], ["undo", ids[0]],
            ["redo", ids[0]], ["revert", ids[0]], ["rerender", "--all", "--force"],
        ]
        for (number, command) in commands.enumerated() {
            let report = bench.folder.file("report\(number)")
            // The release build does not export the function that tells a task's thread.
            let result = try runProgram(
                "\(BuildProducts.folder)/edithost", command,
                environment: bench.environment([
                    "LD_PRELOAD": preloaded, "TASK_SYNC": report,
                ]))
            #expect(result.status == 0, "\(command): \(result.errors)")
            let lines = (try? String(contentsOfFile: report, encoding: .utf8)) ?? ""
            #expect(!lines.contains("task"), "\(command)")
            #expect(!lines.contains("unknown"), "the check itself does not work")
            if ["import", "edit"].contains(command[0]) { #expect(lines.contains("thread")) }
        }
    }
}
