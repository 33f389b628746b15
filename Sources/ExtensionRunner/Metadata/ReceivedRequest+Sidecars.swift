// SPDX-License-Identifier: Apache-2.0

import FileAccess
import RunnerSupport

extension ReceivedRequest {
    /// The XMP files of the request, that with the full file name of the picture first.
    var sidecars: [OpenFile] { [.sidecar, .secondSidecar].compactMap { optional($0) } }
}
