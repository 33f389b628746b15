// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

extension ValidatedExtension {
    /// The result of an edit: its pixels and, for a video, the part that it keeps.
    struct Effect: Equatable {
        let picture: ValidationPicture
        let kept: [KeptRange]
    }

    func effect(_ values: [String: ParameterValue]) async throws -> Effect {
        let edit = try await edit(ValidationPicture(), values)
        guard isForVideos else { return Effect(picture: edit.picture, kept: []) }
        return Effect(picture: edit.picture, kept: try await kept(by: edit.recipe))
    }

    /// Returns the part of the video that a recipe keeps.
    func kept(by recipe: AdjustmentData) async throws -> [KeptRange] {
        let step = RenderStep(
            extensionIdentifier: manifest.identifier, adjustmentData: recipe)
        return try await host.pool.withRunner(loading: [binary]) { runner in
            let reply = try await runner.send(
                .narrow([step], Self.timing), timeout: runner.timeouts.interactive)
            guard case .keptRanges(let kept) = reply else { throw runner.unexpected(reply) }
            return kept
        }
    }
}
