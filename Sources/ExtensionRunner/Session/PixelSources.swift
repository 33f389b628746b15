// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// The sources of computed pixels, from the base upwards. They record failures, to decide whether all pixels could be
/// computed and what caused a failure.
///
/// An error alone proves neither: a cache or an extension may have swallowed a failure, and the last failure reported
/// is rarely the first that occurred.
struct PixelSources: Sendable {
    /// The output of an extension that others read.
    struct Step: Sendable {
        /// The identifier of the extension.
        let extensionIdentifier: String
        /// The failures of its pixels.
        let failures: FailureWatch
    }

    /// The picture at the bottom of the pipeline.
    let base: BasePicture?
    /// The steps over the base, the lowest first.
    var steps: [Step] = []
    /// The extensions whose code runs when the pixels are read.
    let extensionIdentifiers: [String]
    /// The shared state of the runner.
    let runtime: Runtime

    /// Runs a body that computes pixels and attributes its failure to the source that caused it.
    ///
    /// - Parameters:
    ///   - task: The description of the task, as in "cannot …".
    ///   - code: The code of a failure that no source caused.
    /// - Throws: ``failure`` if a source has failed, even if the body succeeded.
    func computing<Result>(
        _ task: String, code: RunnerFailure.Code, _ body: () throws -> Result
    ) throws(RunnerFailure) -> Result {
        let result: Result
        do {
            result = try wrapping(task, code: code, body)
        } catch {
            guard error.code != .cancelled, let failure else { throw error }
            throw failure
        }
        try check()
        return result
    }

    /// - Throws: ``failure``.
    func check() throws(RunnerFailure) {
        if let failure { throw failure }
    }

    /// The failure of the lowest source that has failed so far; `nil` if none has.
    var failure: RunnerFailure? {
        if let base, base.failures.hasFailed { return failure(of: base) }
        return steps.first { $0.failures.hasFailed }.map { step in
            RunnerFailure(
                code: .extensionFailed,
                message: "its pixels cannot be computed: \(step.failures.reason)",
                extensionIdentifier: step.extensionIdentifier)
        }
    }

    /// Returns the failure of the base. If the base can be decoded completely, the extension read it in an
    /// unsupported order, such as twice with sequential access.
    private func failure(of base: BasePicture) -> RunnerFailure {
        if let failure = decodingError(of: base) { return failure }
        guard !extensionIdentifiers.isEmpty else {
            return RunnerFailure(
                code: .badInput,
                message: "the picture cannot be decoded completely: \(base.failures.reason)")
        }
        return RunnerFailure(
            code: .extensionFailed,
            message: "its pixels cannot be computed: \(base.failures.reason)",
            extensionIdentifier: extensionIdentifiers.count == 1 ? extensionIdentifiers[0] : nil)
    }

    /// Returns the error of decoding the base; `nil` if it can be decoded or no extension took part.
    private func decodingError(of base: BasePicture) -> RunnerFailure? {
        guard !extensionIdentifiers.isEmpty else { return nil }
        do {
            let sink = RenderSink(
                image: try base.fullSize(access: .sequential),
                sources: PixelSources(base: nil, extensionIdentifiers: [], runtime: runtime),
                original: nil, originalProfile: nil)
            try sink.discard()
            return nil
        } catch {
            return error
        }
    }
}
