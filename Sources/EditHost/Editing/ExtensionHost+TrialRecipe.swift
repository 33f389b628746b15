// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import RunnerProtocol

extension ExtensionHost {
    /// Returns the recipe that an extension writes for values, over a gray picture, or nil if it commits nothing.
    ///
    /// - Parameter values: The values that differ from the defaults. None may be a file.
    /// - Throws: `HostError` if the extension cannot be run.
    func trialRecipe(
        of binary: ExtensionBinary, _ values: [String: ParameterValue] = [:]
    ) async throws -> AdjustmentData? {
        let session = try await ControllerSession(binary, inputExtensions: [], pool: pool)
        let result: Result<FinishedEdit?, any Error>
        do {
            let trial = try TrialPicture(for: binary.manifest)
            _ = try await session.start(trial.start, [(.base, trial.bytes)])
            if !values.isEmpty { _ = try await session.setParameters(values) }
            result = .success(try await session.finish())
        } catch {
            result = .failure(error)
        }
        await session.close()
        return try result.get()?.adjustmentData
    }
}
