// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol

/// The stored bytes of a version.
struct ImageData: Sendable {
    let data: Data
    let format: MediaFormat
    let orientation: Int
}
