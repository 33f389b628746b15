// SPDX-License-Identifier: Apache-2.0

import Library

extension AssetHistory {
    /// The stored XMP files, in the order in which they were added.
    var sidecars: [AssetResource] { originals.filter { $0.type == .metadataSidecar } }
}
