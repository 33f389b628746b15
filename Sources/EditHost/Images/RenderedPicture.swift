// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerProtocol
import Synchronization

/// The result of a render: pixels, an encoded file, or both.
struct RenderedPicture: Sendable {
    var image: AssetImage?
    var encoded: EncodedImage?
}
