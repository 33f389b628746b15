// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import RunnerHost
import RunnerProtocol

/// Decodes every pixel and returns the facts about the picture.
struct FactsOutput: RequestedOutput {
    /// The facts about a picture that decodes completely.
    struct Picture: Sendable {
        var facts: PhotoFacts
        /// Warnings for the user.
        var warnings: [String]
        /// The date of the last change to the metadata, according to the file's XMP; nil if it states none.
        var changeDate: Date?
        /// The parts of the file that determine the pixels; nil if they are unknown.
        var imageData: [Range<Int>]?
    }

    func take(
        from runner: Runner, _ request: (RenderOutput) -> RunnerRequest,
        _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> JobResult<Picture> {
        let reply = try await runner.requestPixels(request(.facts), descriptors)
        guard case .rendered(let report) = reply, let facts = report.facts else {
            throw runner.unexpected(reply)
        }
        runner.recordSuccess()
        return .picture(
            Picture(
                facts: facts, warnings: report.warnings, changeDate: report.changeDate,
                imageData: report.imageData))
    }
}
