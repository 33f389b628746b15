// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The processes that this one has started.
public enum Children {
    /// Those that have ended and that nobody has asked about.
    ///
    /// Other tests run meanwhile, whose children may just have ended: one that is found again and
    /// again is left.
    public static func zombies() -> [pid_t] {
        var found = Set(all(inState: "Z"))
        for _ in 0..<100 where !found.isEmpty {
            usleep(20_000)
            found.formIntersection(all(inState: "Z"))
        }
        return found.sorted()
    }

    /// The children of a process, by default this one, in a state that `/proc/PID/stat` names.
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

    /// Whether a process is there and has not ended.
    public static func isRunning(_ pid: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return false }
        return !["Z", "X"].contains(text[end...].split(separator: " ").dropFirst().first)
    }
}
