// SPDX-License-Identifier: Apache-2.0

/// The phases of a check, in sequence.
package enum CheckPhase: Hashable, Sendable {
    /// Checks that every file is present, and verifies the hashes of a sample.
    case files
    /// Decodes the videos in the sample.
    case videos
}
