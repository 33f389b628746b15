// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The status of any process, read from `/proc/PID/status`.
struct ProcessStatus {
    /// The number of threads.
    let threads: Int
    /// The bytes in memory or swapped out, and the peak of the bytes in memory.
    let memory: UInt64
    let peakMemory: UInt64
    /// The peak address space in bytes.
    let peakAddressSpace: UInt64

    /// Returns `nil` if the process is gone or hidden.
    init?(pid: pid_t) {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
            let threads = Self.number("Threads", in: text)
        else { return nil }
        func kilobytes(_ key: String) -> UInt64 { Self.number(key, in: text) ?? 0 }
        self.threads = Int(clamping: threads)
        memory = (kilobytes("VmRSS") + kilobytes("VmSwap")) << 10
        peakMemory = kilobytes("VmHWM") << 10
        peakAddressSpace = kilobytes("VmPeak") << 10
    }

    /// Returns the number of a key. This runs many times a second, so the lines are not copied into strings.
    private static func number(_ key: String, in text: String) -> UInt64? {
        text.withCString { start in
            strstr(start, "\n\(key):").map { strtoull($0 + key.utf8.count + 2, nil, 10) }
        }
    }
}
