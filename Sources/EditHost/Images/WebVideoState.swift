// SPDX-License-Identifier: Apache-2.0

/// Whether a video is available in the form that browsers play.
public enum WebVideoState: Hashable, Sendable {
    /// It is available without converting it.
    case ready
    /// It is being converted; with the completed fraction, 0...1.
    case converting(Double)
    /// It will be converted when it is requested.
    case unconverted
}
