// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Traces system calls and injects faults into them with `strace`.
enum SystemTrace {
    /// Whether `strace` is installed and permitted. Some containers forbid it.
    static let isAvailable: Bool = {
        let result = try? runProgram(
            "/usr/bin/env", ["strace", "-o", "/dev/null", "-e", "trace=write", "true"])
        return result?.status == 0
    }()

    /// All system calls that change stored data or open a file for that.
    static let calls = [
        "openat", "write", "pwrite64", "fsync", "fdatasync", "syncfs", "rename", "renameat",
        "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir", "ftruncate", "fallocate",
        "chmod", "fchmod", "mkdir", "mkdirat",
    ]

    /// One traced call.
    struct Call {
        let name: String
        /// The number of earlier calls of this name.
        let index: Int
        let line: String
    }

    /// Runs a program and returns the calls of its main thread.
    static func trace(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        in folder: TemporaryFolder, calls: [String] = calls
    ) throws -> (ProcessResult, [Call]) {
        let log = folder.file("trace-\(UUID())")
        defer { try? FileManager.default.removeItem(atPath: log) }
        let result = try runProgram(
            "/usr/bin/env",
            ["strace", "-y", "-s", "64", "-o", log, "-e", "trace=" + calls.joined(separator: ",")]
                + environment.flatMap { ["-E", "\($0.key)=\($0.value)"] } + [program] + arguments)
        let text = try String(contentsOfFile: log, encoding: .utf8)
        var counts: [String: Int] = [:]
        let found: [Call] = text.split(separator: "\n").compactMap { line in
            guard let bracket = line.firstIndex(of: "(") else { return nil }
            let name = String(line[..<bracket])
            guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
            let index = counts[name, default: 0]
            counts[name] = index + 1
            return Call(name: name, index: index, line: String(line))
        }
        return (result, found)
    }

    /// The fault to inject.
    enum Fault: String, CaseIterable, Sendable {
        case kill, EIO, ENOSPC, EDQUOT

        var injection: String { self == .kill ? "signal=SIGKILL" : "error=\(rawValue)" }
    }

    /// Runs a program with a fault at the call with a name and an index counted from 0.
    ///
    /// - Returns: The result, or nil if the program made fewer such calls, so that no fault
    ///   occurred.
    static func run(
        _ program: String, _ arguments: [String], fault: Fault, at call: String, _ index: Int,
        in folder: TemporaryFolder
    ) throws -> ProcessResult? {
        let log = folder.file("trace-\(UUID())")
        defer { try? FileManager.default.removeItem(atPath: log) }
        let result = try runProgram(
            "/usr/bin/env",
            [
                "strace", "-o", log, "-e", "trace=\(call)",
                "-e", "inject=\(call):\(fault.injection):when=\(index + 1)", program,
            ] + arguments)
        if fault == .kill { return result.status == 128 + SIGKILL ? result : nil }
        let text = try String(contentsOfFile: log, encoding: .utf8)
        return text.contains("(INJECTED)") ? result : nil
    }
}
