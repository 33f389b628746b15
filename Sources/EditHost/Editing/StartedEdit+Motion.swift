// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension StartedEdit {
    /// Returns the motion of the Live Photo with some values.
    ///
    /// - Parameters:
    ///   - values: The values of the parameters.
    ///   - files: The files that the values may name.
    /// - Throws: `HostError`, `LibraryError`.
    func motion(
        with values: [String: ParameterValue], from files: [ParameterFile]
    ) async throws -> EditedMotion {
        // An extension returns its recipe only when it finishes. This edit must continue, so another one is finished
        // instead.
        var preparation = preparation
        preparation.purpose = .batch
        preparation.progressHandler = nil
        let copy = try await preparation.start(history.asset.localIdentifier)
        do {
            if !values.isEmpty {
                _ = try await copy.session.setParameters(
                    values, in: preparation.library, from: files)
            }
            let motion = try EditedMotion(of: copy, step: try await copy.recipeStep())
            await copy.close()
            copy.recyclePixels()
            return motion
        } catch {
            await copy.close()
            throw error
        }
    }
}
