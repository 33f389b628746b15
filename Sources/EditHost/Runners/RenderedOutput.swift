// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The output of a job.
struct RenderedOutput: Sendable {
    /// The encoded file or the pixels; nil where only facts were wanted.
    let bytes: OwnedDescriptor?
    /// The layout of pixels; nil for an encoded file.
    let layout: RawLayout?
    /// The original's RGB profile, where pixels are in that and it has one.
    let profile: OwnedDescriptor?
    /// Where the pixels are, in memory that is used again; nil: nobody can change them any more.
    var buffer: PixelBuffers.Buffer?
    /// What the runner says of it.
    let report: RenderReport
}
