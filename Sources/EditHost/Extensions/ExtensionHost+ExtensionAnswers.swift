// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

extension ExtensionHost {
    /// Returns what each installed extension can do with an asset.
    ///
    /// Only extensions whose manifests declare the last recipe's format are asked. Answers are cached by the
    /// digest of the extension and the recipe.
    ///
    /// - Throws: `LibraryError`. An extension that fails counts as one that cannot continue the edit.
    public func answers(
        for assetIdentifier: String, in library: PhotoLibrary
    ) async throws -> [ExtensionAnswer] {
        let history = try library.history(ofAsset: assetIdentifier)
        var answers: [ExtensionAnswer] = []
        for installed in extensions.catalogue.all {
            answers.append(await answer(of: installed, for: history, in: library))
        }
        return answers
    }

    private func answer(
        of installed: InstalledExtension, for history: AssetHistory, in library: PhotoLibrary
    ) async -> ExtensionAnswer {
        func answer(_ isSupported: Bool, _ canHandle: Bool?, _ reason: String) -> ExtensionAnswer {
            ExtensionAnswer(
                installed: installed, isSupported: isSupported, canHandle: canHandle,
                reason: reason)
        }
        guard let manifest = installed.manifest, installed.status == .available else {
            return answer(false, nil, installed.reason ?? "cannot be used")
        }
        guard manifest.supportedMediaTypes.contains(history.asset.mediaType) else {
            return answer(
                false, nil, "cannot edit assets of type \(history.asset.mediaType.name)")
        }
        guard let recipe = history.chain.last?.adjustmentData else {
            return answer(true, nil, "no edit to continue")
        }
        let format = "\(recipe.formatIdentifier) \(recipe.formatVersion)"
        guard manifest.declaresReading(recipe) else {
            return answer(true, false, "the manifest does not declare \(format)")
        }
        do {
            let canHandle = try await canHandle(
                try extensions.binary(of: installed, for: library.path), recipe)
            return answer(
                true, canHandle, "\(canHandle ? "accepts" : "does not accept") \(format)")
        } catch {
            logger.warning(
                """
                \(installed.identifier) failed in can_handle, so the edit is not continued: \
                \(error)
                """)
            return answer(true, false, "failed when asked about \(format): \(error)")
        }
    }

    private func canHandle(
        _ binary: ExtensionBinary, _ recipe: AdjustmentData
    ) async throws -> Bool {
        if let known = extensions.knownAnswer(of: binary.digest, about: recipe) { return known }
        let session = try await ControllerSession(binary, inputExtensions: [], pool: pool)
        do {
            let answer = try await session.canHandle(recipe)
            await session.close()
            extensions.remember(answer, of: binary.digest, about: recipe)
            return answer
        } catch {
            await session.close()
            throw error
        }
    }
}
