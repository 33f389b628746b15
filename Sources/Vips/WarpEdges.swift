// SPDX-License-Identifier: Apache-2.0

/// What surrounds a picture when it is resampled.
public enum WarpEdges: Sendable {
    /// The nearest pixel of the picture.
    case repeated
    /// Transparency, or black if the picture has no alpha.
    case empty
}
