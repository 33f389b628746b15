// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// An operation on an asset. The raw values are those of PhotoKit's `PHAssetEditOperation`. They
/// are numbers, not bits: ``properties`` is not the union of ``delete`` and ``content``.
public enum AssetEditOperation: Int, Hashable, Sendable, CaseIterable {
    /// Deleting the asset.
    case delete = 1
    /// Editing the pixels.
    case content = 2
    /// Changing metadata, such as the date, the location and the favourite flag.
    case properties = 3
}
