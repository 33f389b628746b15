// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// A runner with faults injected into its system calls by strace.
struct FaultyRunner {
    /// Whether programs can be traced here: some containers forbid it.
    static let canTrace: Bool = {
        let result = try? runProgram("/usr/bin/env", ["strace", "-o", "/dev/null", "true"])
        return result?.status == 0
    }()

    /// The program used in place of the runner.
    let path: String
    /// The prefix of the trace files, one for each thread, with a number as the suffix.
    private let trace: String

    /// - Parameter fault: A fault such as `seccomp:error=EINVAL`.
    init(_ fault: String, in folder: TemporaryFolder) throws {
        path = folder.file("runner")
        trace = folder.file("trace")
        // -D: the runner stays the host's child.
        let script = """
            #!/bin/sh
            exec strace -D -ff -q -o \(trace) -e inject=\(fault) \(BuildProducts.runner) "$@"

            """
        // Written by another process, because a child forked meanwhile would keep the file open and busy.
        let result = try runProgram(
            "/bin/sh", ["-c", "printf '%s' \"$1\" > \"$0\" && chmod 700 \"$0\"", path, script])
        try #require(result.status == 0, "\(result.errors)")
    }

    /// The traces of the first threads of runners that ended with a status. Waits for at least one.
    func traces(endedWith status: Int) async throws -> [String] {
        let folder = (trace as NSString).deletingLastPathComponent
        for _ in 0..<3000 {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            let texts = names.filter { $0.hasPrefix("trace.") }
                .compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
                .filter { $0.contains("execve(") && $0.contains("+++ exited with \(status) +++") }
            if !texts.isEmpty { return texts }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("no runner has ended with status \(status)")
        return []
    }
}
