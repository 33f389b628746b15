// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// A runner to whose system calls something happens, by strace.
struct FaultyRunner {
    /// Whether programs can be traced here: some containers forbid it.
    static let canTrace: Bool = {
        let result = try? runProgram("/usr/bin/env", ["strace", "-o", "/dev/null", "true"])
        return result?.status == 0
    }()

    /// The program that stands for the runner.
    let path: String
    /// Where the calls are written, a file for each thread: this and a number.
    private let trace: String

    /// - Parameter fault: such as `seccomp:error=EINVAL`.
    init(_ fault: String, in folder: TemporaryFolder) throws {
        path = folder.file("runner")
        trace = folder.file("trace")
        // -D: the runner stays the host's child.
        try Data(
            """
            #!/bin/sh
            exec strace -D -ff -q -o \(trace) -e inject=\(fault) \(BuildProducts.runner) "$@"

            """.utf8
        ).write(to: URL(fileURLWithPath: path))
        try #require(chmod(path, 0o700) == 0)
    }

    /// What was written of the first threads of runners that ended with a status, once there is one.
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
