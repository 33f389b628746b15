// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension ExtensionHost {
    /// Returns the parameter values of edits. Each recipe is read by its extension, over a gray picture: the original
    /// is not opened and nothing is changed.
    ///
    /// - Returns: The values of each edit, by the edit's identifier.
    /// - Throws: `CancellationError`. Any other failure gives `unknown` values.
    public func values(
        of edits: [Edit], of history: AssetHistory, in library: PhotoLibrary
    ) async throws -> [String: EditValues] {
        var found: [String: EditValues] = [:]
        var same: [Recipe: EditValues] = [:]
        for edit in edits where found[edit.identifier] == nil {
            try Task.checkCancellation()
            let recipe = Recipe(
                author: edit.editingExtension?.identifier, data: edit.adjustmentData,
                files: edit.files)
            let values: EditValues
            if let known = same[recipe] {
                values = known
            } else {
                values = try await self.values(of: edit, of: history, in: library)
            }
            same[recipe] = values
            found[edit.identifier] = values
        }
        return found
    }

    private struct Recipe: Hashable {
        let author: String?
        let data: AdjustmentData
        let files: [EditFile]
    }

    private func values(
        of edit: Edit, of history: AssetHistory, in library: PhotoLibrary
    ) async throws -> EditValues {
        guard let author = edit.editingExtension else {
            return .unknown("made by an application")
        }
        do {
            let binary = try extensions.binary(identifier: author.identifier, for: library.path)
            guard !binary.manifest.parameters.isEmpty else { return .known([:]) }
            let session = try await ControllerSession(binary, inputExtensions: [], pool: pool)
            let result: Result<[String: ParameterValue]?, any Error>
            do {
                result = .success(
                    try await Self.values(of: edit, of: history, in: session, library))
            } catch {
                result = .failure(error)
            }
            await session.close()
            guard let values = try result.get() else {
                return .unknown(
                    "\(author.identifier) \(binary.manifest.version) does not accept its recipe")
            }
            return .known(values)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return .unknown((error as? HostError)?.message ?? "\(error)")
        }
    }

    /// Returns nil if the extension cannot continue from the recipe.
    private static func values(
        of edit: Edit, of history: AssetHistory, in session: ControllerSession,
        _ library: PhotoLibrary
    ) async throws -> [String: ParameterValue]? {
        guard try await session.canHandle(edit.adjustmentData) else { return nil }
        var trial = try TrialPicture(edit.adjustmentData, of: history)
        let files = try PackedParameterFiles(
            edit.files.map { ParameterFile($0) }, library)
        if files.memory != nil { trial.start.input.files = files.ranges }
        var values = try await session.start(
            trial.start, [(.base, trial.bytes)] + files.descriptors)
        for file in edit.files { values[file.parameter] = .string(file.filename) }
        return values.filter { session.manifest.parameter(named: $0.key) != nil }
    }
}
