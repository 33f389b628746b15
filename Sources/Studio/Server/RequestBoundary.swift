// SPDX-License-Identifier: Apache-2.0

/// A part of a request that the decoder has found.
enum RequestBoundary: Sendable {
    /// The header is complete.
    case head
    /// The body is complete.
    case end
}
