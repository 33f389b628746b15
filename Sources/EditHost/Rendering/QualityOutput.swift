// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerHost
import RunnerProtocol

/// The measured sharpness and exposure of a picture.
struct QualityOutput: RequestedOutput {
    var needsOriginal: Bool { false }

    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<PictureQuality> {
        let reply = try await runner.requestPixels(request(.quality), descriptors)
        guard case .rendered(let report) = reply, let quality = report.quality,
            quality.sharpness.isFinite, quality.exposure.isFinite
        else { throw runner.unexpected(reply) }
        runner.recordSuccess()
        return .picture(quality)
    }
}
