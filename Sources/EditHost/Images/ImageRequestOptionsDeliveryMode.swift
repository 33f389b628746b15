// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The trade-off between speed and quality. The raw values are those of PhotoKit's
/// `PHImageRequestOptionsDeliveryMode`.
public enum ImageRequestOptionsDeliveryMode: Int, Hashable, Sendable {
    /// A quick picture if one is available, marked as degraded, and then the final one.
    case opportunistic = 0
    /// Only the final picture, rendered from the photo itself.
    case highQualityFormat = 1
    /// Only a quick picture, marked as degraded if it is smaller than requested.
    case fastFormat = 2
}
