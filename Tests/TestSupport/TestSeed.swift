// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where the random numbers of a test begin.
public enum TestSeed {
    /// The number in `EDITHOST_SEED`, where that is set; a fresh one in `make torture`; else one that
    /// is always the same, so that `make test` does today what it did yesterday.
    ///
    /// A test names its seed in the message of each failure: `EDITHOST_SEED=NUMBER` repeats it.
    ///
    /// - Parameter usual: The number for `make test`.
    public static func seed(usually usual: UInt64 = 1) -> UInt64 {
        let environment = ProcessInfo.processInfo.environment
        if let wanted = environment["EDITHOST_SEED"].flatMap(UInt64.init) { return wanted }
        return environment["EDITHOST_TORTURE"] == nil ? usual : .random(in: .min ... .max)
    }
}
