// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the system tells of any process in `/proc/PID/status`.
struct ProcessStatus {
    /// How many threads it has.
    let threads: Int
    /// Bytes that it has in memory or swapped out, and the most that it had in memory.
    let memory: UInt64
    let mostMemory: UInt64
    /// The most address space that it had, in bytes.
    let mostAddressSpace: UInt64

    /// Nil where the process is gone or hidden.
    init?(pid: pid_t) {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        else { return nil }
        var numbers: [Substring: UInt64] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(whereSeparator: { ":\t ".contains($0) })
            if parts.count > 1, let number = UInt64(parts[1]) { numbers[parts[0]] = number }
        }
        guard let threads = numbers["Threads"] else { return nil }
        self.threads = Int(threads)
        memory = ((numbers["VmRSS"] ?? 0) + (numbers["VmSwap"] ?? 0)) << 10
        mostMemory = (numbers["VmHWM"] ?? 0) << 10
        mostAddressSpace = (numbers["VmPeak"] ?? 0) << 10
    }
}
