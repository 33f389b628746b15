// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The seed of a test's random numbers.
public enum TestSeed {
    /// Returns the number in `EDITHOST_SEED` if that is set, a random one in `make torture`, and
    /// otherwise a constant, which makes `make test` reproducible.
    ///
    /// Tests include the seed in every failure message: `EDITHOST_SEED=NUMBER` repeats the run.
    ///
    /// - Parameter usual: The seed for `make test`.
    public static func seed(usually usual: UInt64 = 1) -> UInt64 {
        let environment = ProcessInfo.processInfo.environment
        if let wanted = environment["EDITHOST_SEED"].flatMap(UInt64.init) { return wanted }
        return environment["EDITHOST_TORTURE"] == nil ? usual : .random(in: .min ... .max)
    }
}
