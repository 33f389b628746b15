// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// What came of a job.
enum JobResult: Sendable {
    /// The output is there.
    case rendered(RenderedOutput)
    /// The step of this index wrote its output into a file: verify it, and go on from it.
    case fileWritten(step: Int, WrittenFile)
}
