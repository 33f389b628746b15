// SPDX-License-Identifier: Apache-2.0

import Hashing
import RunnerHost

extension ExtensionHost {
    /// A text that identifies the builds of the installed extensions, for the content keys of assets whose pictures
    /// they render. The extensions are read on the first call.
    public var extensionBuilds: String {
        extensions.catalogue.available.map { installed in
            "\(installed.identifier) \((try? extensions.read(installed))?.digest.hex ?? "unusable")"
        }.joined(separator: "\n")
    }
}
