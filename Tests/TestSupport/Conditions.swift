// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
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

    /// Needs the right to make device files, which root does not have everywhere.
    public static var devices: Self {
        .enabled(if: canMakeDevices(), "it cannot make device files")
    }

    /// Needs Debian's list of installed packages.
    public static var dpkg: Self {
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-query"),
            "there is no dpkg-query")
    }

    /// Root may do everything, so it proves nothing there.
    public static var ordinaryUser: Self { .enabled(if: geteuid() != 0, "root may do everything") }
}

private func canMakeDevices() -> Bool {
    guard let folder = try? TemporaryFolder() else { return false }
    return withExtendedLifetime(folder) {
        mknod(folder.file("device"), S_IFCHR | 0o600, 0x103) == 0
    }
}
