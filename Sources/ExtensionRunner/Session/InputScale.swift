// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The scale of the images of a state.
enum InputScale: Sendable {
    /// The size of the photo.
    case full
    /// The display size: steps run over a reduced base.
    case display
}
