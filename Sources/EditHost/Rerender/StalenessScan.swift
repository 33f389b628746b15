// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol
import Synchronization

/// Finds the up-to-date assets among many in one pass, without reading recipes or opening files.
///
/// The scan computes the current key of each photo's rendition from ingredients that most photos share and from hashes
/// in the database. If the stored rendition has that key and its file exists, it is up to date. The scan never
/// declares a rendition stale: all other assets are left to ``AssetRerenderer``, which reads their histories.
final class StalenessScan: Sendable {
    /// An up-to-date asset.
    private struct UpToDate: Sendable {
        let row: Int64
        let result: RerenderResult

        init(_ row: Int64, _ identifier: String, _ reason: String) {
            self.row = row
            result = RerenderResult(
                assetIdentifier: identifier, status: .upToDate, reason: reason)
        }
    }

    private let renderer: Renderer
    private let blobs: BlobLookup
    private let templates = Mutex(IngredientTemplates())
    /// The number of assets that are read in one transaction.
    private static let chunk = 1000

    private let library: PhotoLibrary

    init(_ renderer: Renderer, _ library: PhotoLibrary) {
        self.renderer = renderer
        self.library = library
        blobs = BlobLookup(library)
    }

    /// Returns the results of the assets that are up to date, by identifier. Some may be missing.
    ///
    /// - Throws: `CancellationError`.
    func upToDate(
        among identifiers: [String], jobs: Int
    ) async throws -> [String: RerenderResult] {
        let rows = (try? library.assetRows(of: identifiers)) ?? []
        let results = try await upToDate(rows, jobs).map { ($0.result.assetIdentifier, $0.result) }
        return Dictionary(results) { first, _ in first }
    }

    /// Returns the rows of all assets that are not found up to date.
    ///
    /// - Throws: `CancellationError`; `LibraryError`.
    func remainingRows(jobs: Int) async throws -> [Int64] {
        let rows = try library.assetRows()
        let upToDate = Set(try await upToDate(rows, jobs).map(\.row))
        return rows.filter { !upToDate.contains($0) }
    }

    private func upToDate(_ rows: [Int64], _ jobs: Int) async throws -> [UpToDate] {
        let chunks = stride(from: 0, to: rows.count, by: Self.chunk).map {
            Array(rows[$0..<min($0 + Self.chunk, rows.count)])
        }
        var found: [UpToDate] = []
        found.reserveCapacity(rows.count)
        try await forEachOrdered(chunks, limit: jobs) {
            // Assets that cannot be read here are read and reported one by one later.
            (try? await self.upToDate($0)) ?? []
        } deliver: {
            found += $0
        }
        return found
    }

    private func upToDate(_ rows: [Int64]) async throws -> [UpToDate] {
        let records = try library.renditionRecords(ofRows: rows)
        var found = records.unedited.map { UpToDate($0.row, $0.identifier, "no edits") }
        var known = templates.withLock { $0 }
        for record in records.edited {
            // A damaged record must not prevent the scan of the others.
            try? await complete(&known, for: record)
            if known.key(of: record) == record.key, blobs.contains(record.blob) {
                found.append(UpToDate(record.row, record.assetIdentifier, "nothing has changed"))
            }
        }
        templates.withLock { [known] in $0.add(known) }
        return found
    }
}

// MARK: - Templates

extension StalenessScan {
    /// Adds the templates that a record needs, made from the history of its asset like any rendering.
    private func complete(
        _ known: inout IngredientTemplates, for record: RenditionRecord
    ) async throws {
        guard !known.haveKinds(of: record) else { return }
        let history = try library.history(ofAsset: record.assetIdentifier)
        if known.originals[record.originalKind] == nil {
            known.originals[record.originalKind] = .some(try await template(history))
        }
        // The history may be newer than the record.
        let edits = history.chain.filter(\.isEnabled)
        guard edits.map(\.stepKind) == record.steps.map(\.kind) else { return }
        for (edit, step) in zip(edits, record.steps) where known.steps[step.kind] == nil {
            known.steps[step.kind] = .some(template(edit))
        }
    }

    /// Returns the common ingredients for such an original, or `nil` if they cannot be determined.
    private func template(
        _ history: AssetHistory
    ) async throws -> RenditionIngredients.Template? {
        guard let plan = try? renderer.planner.plan([], of: history) else { return nil }
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        return try plan.ingredients(settings: settings, try await renderer.versions(settings))
            .template
    }

    /// Returns the common ingredients of an extension's steps with such recipes, or `nil` if the step cannot be run.
    private func template(_ edit: Edit) -> RenditionIngredients.Step.Template? {
        guard let step = try? renderer.planner.step(edit) else { return nil }
        return try? RenditionIngredients.Step(step).template
    }
}
