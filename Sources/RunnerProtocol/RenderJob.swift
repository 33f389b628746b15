// SPDX-License-Identifier: Apache-2.0

/// A unit of pixel work: probing a new file, a thumbnail, an export or a re-render.
///
/// The pixels come from ``input``. The steps process them unencoded in one pipeline, and the result is encoded, or
/// returned raw, once.
package struct RenderJob: Codable, Hashable, Sendable {
    /// The base picture and the steps.
    package var input: RenderInput
    /// The requested output.
    package var output: RenderOutput

    /// Creates a job from an input and an output.
    package init(input: RenderInput, output: RenderOutput) {
        self.input = input
        self.output = output
    }
}
