// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The library `faults.c`, preloaded into the driver to inject faults or to make it a mutant.
enum Faults {
    /// Incorrect programs that a test harness must detect.
    enum Mutant: String, Sendable {
        /// The row is committed before its file has its final name.
        case rowFirst = "row-first"
        /// Neither files nor folders are synchronized to the disk.
        case noSynchronization = "no-fsync"
    }

    /// The library to preload, compiled once.
    static let library = Result { try PreloadedFaults.build() }

    /// The environment for one run.
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
