// SPDX-License-Identifier: Apache-2.0

import Library

extension RerenderSurvey {
    /// Determines which results of earlier surveys are still valid.
    ///
    /// Database triggers record what has changed in the database. A result also depends on the renditions' other
    /// inputs (extensions, host, encoders), which are checked again for a sample of each kind. It also depends on the
    /// files, which are checked in the folders that have changed.
    /// - Throws: `CancellationError`.
    func earlierSurvey() async throws -> EarlierSurvey {
        // Read first: the next survey finds what changes while this one runs.
        let folders = BlobFolders(library)
        let stored = try? library.storedSurvey()
        let isCurrent = if let stored { await areCurrent(stored.kinds) } else { false }
        try Task.checkCancellation()
        guard let stored, isCurrent else {
            guard stores, let stamp = try? await library.forgetSurvey(folders) else { return .none }
            return EarlierSurvey(stamp: stamp, kinds: [], suspects: [])
        }
        let changed = folders.changed(since: stored.folders)
        guard let lacking = try? library.assets(lackingFilesIn: changed) else { return .none }
        guard stores else {
            return EarlierSurvey(stamp: stored.stamp, kinds: stored.kinds, suspects: Set(lacking))
        }
        let stamp = try? await library.store(
            folders, changed: changed, lacking: lacking, stamp: stored.stamp)
        guard let stamp = stamp ?? nil else { return .none }
        return EarlierSurvey(stamp: stamp, kinds: stored.kinds, suspects: Set(lacking))
    }

    /// Whether renditions of these kinds would be made from the same inputs now.
    private func areCurrent(_ kinds: [SurveyedKind]) async -> Bool {
        if kinds.isEmpty { return true }
        let samples = Array(Set(kinds.map(\.sample)))
        guard let records = try? library.renditionRecords(of: .rows(samples)) else { return false }
        var known = IngredientTemplates.Parts()
        for record in records.edited { try? await complete(&known, for: record) }
        let digests = Dictionary(known.kinds.map { ($0.name, $0.digest) }) { first, _ in first }
        guard kinds.allSatisfy({ digests[$0.name] == $0.digest }) else { return false }
        templates.add(known)
        return true
    }
}
