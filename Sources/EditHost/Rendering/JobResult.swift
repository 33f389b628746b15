// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

/// The result of a runner's job.
enum JobResult<Picture: Sendable>: Sendable {
    /// The finished output.
    case picture(Picture)
    /// A file written by the step of this index. It must be verified before rendering continues from it.
    case fileWritten(step: Int, WrittenFile)
}
