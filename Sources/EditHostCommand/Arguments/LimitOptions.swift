// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc

/// The options that limit what rendering takes from other programs.
struct LimitOptions: ParsableArguments {
    @Flag(help: "Run at low priority.")
    var nice = false

    @Option(
        help: ArgumentHelp(
            "Limit the memory of pictures rendered in parallel, estimated from their sizes, "
                + "such as 512M or 2G.",
            valueName: "size"))
    var memory: MemorySize?

    /// Lowers the priority of all threads, if the user requested it. On Linux, each thread has its own, and a runner
    /// inherits that of the thread that starts it.
    func lowerPriority() {
        guard nice else { return }
        let threads =
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let kind = __priority_which_t(PRIO_PROCESS.rawValue)
        for thread in threads.compactMap({ id_t($0) }) {
            setpriority(kind, thread, max(10, getpriority(kind, thread)))
        }
    }
}
