// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The output of a job.
struct RenderedOutput: Sendable {
    /// The encoded file or the pixels; nil where only facts were wanted.
    let bytes: OwnedDescriptor?
    /// The layout of pixels; nil for an encoded file.
    let layout: RawLayout?
    /// What the runner says of it.
    let report: RenderReport
}
