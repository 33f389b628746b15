// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// `faults.c`, preloaded into the driver: it disturbs, or makes the driver a worse program.
enum Faults {
    /// Programs that are wrong in a way that a harness must notice.
    enum Mutant: String, Sendable {
        /// The row is committed before its file has its name.
        case rowFirst = "row-first"
        /// Neither files nor folders are forced to the disk.
        case noSynchronization = "no-fsync"
    }

    /// The library to preload, compiled once.
    static let library = Result { try PreloadedFaults.build() }

    /// The environment for a run.
    static func environment(
        root: String, mutant: Mutant? = nil, fault: String? = nil, at number: Int = 0,
        count: String? = nil
    ) throws -> [String: String] {
        var environment = ["LD_PRELOAD": try library.get(), "FAULT_ROOT": root]
        environment["FAULT_MUTANT"] = mutant?.rawValue
        environment["FAULT_KIND"] = fault
        if number > 0 { environment["FAULT_AT"] = "\(number)" }
        environment["FAULT_COUNT"] = count
        return environment
    }
}
