// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The child processes of this process.
public enum Children {
    /// Waits until a child of this process has ended and been reaped.
    public static func waitUntilReaped(_ child: pid_t) async throws {
        try await waitUntil("process \(child) has been reaped") {
            var status = siginfo_t()
            // WNOWAIT: the code under test must reap the child.
            return waitid(P_PID, id_t(child), &status, WEXITED | WNOHANG | WNOWAIT) != 0
        }
    }

    /// The children of a process, by default this one.
    ///
    /// - Parameter state: A state of `/proc/PID/stat`, or nil for all.
    public static func all(of parent: pid_t = getpid(), inState state: String? = nil) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { pid in
            guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return false }
            let fields = text[end...].split(separator: " ")
            return fields.count > 2 && fields[2] == "\(parent)"
                && (state == nil || String(fields[1]) == state)
        }
    }

    /// The targets of a process's file descriptors, or an empty set if the kernel hides them.
    public static func openFiles(of process: pid_t) -> Set<String> {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(
            names.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            })
    }

    /// Whether a process exists and has not ended.
    public static func isRunning(_ pid: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return false }
        return !["Z", "X"].contains(text[end...].split(separator: " ").dropFirst().first)
    }
}
