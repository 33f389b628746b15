// SPDX-License-Identifier: Apache-2.0

import Library

/// What can be taken over from earlier surveys of a library.
struct EarlierSurvey: Sendable {
    /// The stamp of the stored survey; nil: nothing can be stored.
    let stamp: Int64?
    /// The kinds that are stored.
    let kinds: [SurveyedKind]
    /// The rows of assets that have to be looked at although a survey has found them up to date; nil: all assets have.
    let suspects: Set<Int64>?

    /// Nothing.
    static let none = EarlierSurvey(stamp: nil, kinds: [], suspects: nil)
}

extension RerenderSurvey {
    /// Finds out what of earlier surveys still holds.
    ///
    /// What has changed in the database, triggers have noted. Beside that, a verdict depends on what renditions are made
    /// with (extensions, host, encoders), which is asked anew for a sample of each kind; and on the files, which are looked for in the
    /// folders that have changed.
    /// - Throws: `CancellationError`.
    func earlierSurvey() async throws -> EarlierSurvey {
        // Looked at first: what changes while this runs is found by the next survey.
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

    /// Whether all that is of these kinds would be made with the same now.
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

extension SurveyedKind {
    /// What tells it from others.
    struct Name: Hashable {
        let subject: Subject
        let kind: String
    }

    /// What tells it from others.
    var name: Name { Name(subject: subject, kind: kind) }
}
