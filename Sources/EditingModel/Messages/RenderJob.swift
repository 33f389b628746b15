// SPDX-License-Identifier: Apache-2.0

/// The one kind of pixel work: probing a new file, a thumbnail, an export, a re-render.
///
/// The pixels come from ``input``, the steps run over them un-encoded in one pipeline, and
/// they are encoded, or handed on raw, once.
public struct RenderJob: Codable, Hashable, Sendable {
    /// Where the pixels come from.
    public var input: RenderInput
    /// What is wanted of them.
    public var output: RenderOutput

    /// Makes a job.
    public init(input: RenderInput, output: RenderOutput) {
        self.input = input
        self.output = output
    }
}
