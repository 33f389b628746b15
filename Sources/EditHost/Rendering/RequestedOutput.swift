// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerHost
import RunnerProtocol

/// The output requested of a runner's pixels, which determines the type of the result.
protocol RequestedOutput: Sendable {
    associatedtype Picture: Sendable

    /// Whether the output is raw pixels at full size, which untrusted extensions can return.
    var isRaw: Bool { get }

    /// Returns the output for pixels that the untrusted extension with this digest writes.
    func written(by author: SHA256Digest) -> Self
    /// Returns the picture with the original's profile, if its runner returned none.
    func addingProfile(_ profile: OpenFile?, _ picture: Picture) -> Picture
    /// Whether the output includes the original's metadata or profile.
    var needsOriginal: Bool { get }

    /// Requests the output from a runner and waits for the result.
    ///
    /// - Parameter request: Makes the request for a given output.
    /// - Throws: `HostError`.
    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<Picture>
}

extension RequestedOutput {
    var isRaw: Bool { false }
    func written(by author: SHA256Digest) -> Self { self }
    func addingProfile(_ profile: OpenFile?, _ picture: Picture) -> Picture { picture }
    var needsOriginal: Bool { true }
}
