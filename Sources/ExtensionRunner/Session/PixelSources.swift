// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// Where pixels come from, from the base upwards: what one must look at to know whether they could
/// all be computed, and who is to blame if not.
///
/// An error alone is no proof of either: what was asked for may have been swallowed by a cache or by
/// an extension, and the last to fail is rarely the first.
struct PixelSources: Sendable {
    /// The output of an extension that others read.
    struct Step: Sendable {
        /// The extension.
        let extensionIdentifier: String
        /// What became of its pixels.
        let failures: FailureWatch
    }

    /// The picture that everything is computed from.
    let base: BasePicture?
    /// What is computed over it, the lowest first.
    var steps: [Step] = []
    /// Whose code reads.
    let extensionIdentifiers: [String]
    /// What the runner shares.
    let runtime: Runtime

    /// Runs what computes pixels.
    ///
    /// - Parameters:
    ///   - task: What is being done, as in "cannot …".
    ///   - code: The kind of a failure that is no source's.
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

    /// The failure of the lowest source that has failed, at any time; nil: none has.
    var failure: RunnerFailure? {
        if let base, base.failures.hasFailed { return failure(of: base) }
        return steps.first { $0.failures.hasFailed }.map { step in
            RunnerFailure(
                code: .extensionFailed,
                message: "its pixels cannot be computed: \(step.failures.reason)",
                extensionIdentifier: step.extensionIdentifier)
        }
    }

    /// A base that can be decoded whole was read in a way that it cannot be read, such as twice in
    /// sequence.
    private func failure(of base: BasePicture) -> RunnerFailure {
        if let failure = damage(of: base) { return failure }
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

    /// Why the base cannot be decoded, if that is so.
    private func damage(of base: BasePicture) -> RunnerFailure? {
        guard !extensionIdentifiers.isEmpty else { return nil }
        do {
            let pull = PixelPull(
                image: try base.fullSize(access: .sequential),
                sources: PixelSources(base: nil, extensionIdentifiers: [], runtime: runtime),
                original: nil, originalProfile: nil)
            try pull.discard()
            return nil
        } catch {
            return error
        }
    }
}
