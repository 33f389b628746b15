// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The trust, failures and permissions of an extension.
package struct ExtensionStatus: Sendable {
    /// The trust in the installed build.
    package let trust: ExtensionTrust.Level
    /// True if it is untrusted, but the user trusted an earlier build of it.
    package let wasTrusted: Bool
    /// The failures since its last success; nil if there are none.
    package let failures: Quarantine.Entry?

    /// True if it may read the originals of the assets that it edits.
    package let mayReadOriginals: Bool

    /// True if it is in quarantine for some library, and not run for it until it is released.
    package var isQuarantined: Bool { failures?.isQuarantined ?? false }
}
