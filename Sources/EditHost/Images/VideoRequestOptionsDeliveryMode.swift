// SPDX-License-Identifier: Apache-2.0

/// The trade-off between speed and quality. The raw values are those of PhotoKit's
/// `PHVideoRequestOptionsDeliveryMode`.
public enum VideoRequestOptionsDeliveryMode: Int, Hashable, Sendable {
    /// Automatic choice of speed and quality.
    case automatic = 0
    /// The highest quality.
    case highQualityFormat = 1
    /// A moderate quality.
    case mediumQualityFormat = 2
    /// The quickest answer.
    case fastFormat = 3
}
