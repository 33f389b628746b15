// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What a test needs that is not everywhere. `make test` says at its end what was left out for want
/// of it, in the words given here.
extension Trait where Self == ConditionTrait {
    /// Takes minutes, and runs in `make torture` only.
    public static var torture: Self {
        .enabled(if: ProcessInfo.processInfo.environment["EDITHOST_TORTURE"] != nil, "make torture")
    }

    /// Needs the folder of real photographs.
    public static var corpus: Self {
        .enabled(if: BuildProducts.corpus != nil, "EDITHOST_CORPUS names no folder")
    }

    /// Needs the rights of root.
    public static var root: Self { .enabled(if: geteuid() == 0, "it needs root") }

    /// Root may do everything, so it proves nothing there.
    public static var ordinaryUser: Self { .enabled(if: geteuid() != 0, "root may do everything") }
}
