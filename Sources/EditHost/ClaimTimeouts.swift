// SPDX-License-Identifier: Apache-2.0

/// The time that a process waits for another one that is rendering the same photo. It then renders the photo
/// too, because the other process may be stopped.
package struct ClaimTimeouts: Sendable, Hashable {
    /// The time for pictures.
    package var picture: Duration = .seconds(30)
    /// The time for videos and Live Photos.
    package var video: Duration = .seconds(600)

    /// Creates limits with the defaults.
    package init() {}
}
