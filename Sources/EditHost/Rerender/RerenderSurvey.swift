// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

/// Finds the up-to-date assets among many, without reading recipes or opening files.
///
/// The ingredients of a rendition are stored as JSON. The survey assembles the current JSON of each photograph from
/// parts that most photographs share. If it equals the stored JSON, and its hash is the key of the rendition, the
/// rendition is up to date. All other assets are left to ``AssetRerenderer``, which reads their histories.
///
/// Results are stored, so that the next survey can skip assets while they, the shared parts and the files are
/// unchanged: see ``EarlierSurvey``.
struct RerenderSurvey: Sendable {
    /// The reason why an asset is up to date, or its result.
    enum Finding: Sendable {
        case unedited
        case unchanged
        /// The asset was checked by itself, with this result.
        case checked(RerenderResult)
    }

    /// The results of a chunk of assets.
    private struct Answer: Sendable {
        var upToDate: [(asset: SurveyedAsset, finding: Finding)] = []
        /// `nil` if nothing could be read.
        var stamp: Int64?
    }

    let renderer: Renderer
    /// Whether the results are stored.
    let stores: Bool
    let templates = IngredientTemplates()
    private let blobs: BlobLookup
    /// The number of assets that are read in one transaction.
    private static let chunk = 1000

    var library: PhotoLibrary { renderer.library }

    init(_ renderer: Renderer, stores: Bool) {
        self.renderer = renderer
        self.stores = stores
        blobs = BlobLookup(renderer.library)
    }

    /// Returns the assets that are up to date, with the reason. Some may be missing.
    ///
    /// - Throws: `CancellationError`.
    func findings(_ identifiers: [String], jobs: Int) async throws -> [String: Finding] {
        let identifiers =
            identifiers.count > Self.chunk
            ? (try? library.inStorageOrder(identifiers)) ?? identifiers : identifiers
        let answers = try await answers(jobs) { _ in
            (identifiers.chunks(of: Self.chunk).map { .identifiers($0) }, nil)
        }
        var findings: [String: Finding] = [:]
        findings.reserveCapacity(identifiers.count)
        for (asset, finding) in answers.joined() { findings[asset.identifier] = finding }
        return findings
    }

    /// Returns the rows of all assets that are not found up to date.
    ///
    /// - Throws: `CancellationError`; `LibraryError`.
    func remainingRows(jobs: Int) async throws -> [Int64] {
        var rows: [Int64] = []
        let answers = try await answers(jobs) { earlier in
            let (found, stamp) = try library.rowsToSurvey(all: earlier.suspects == nil)
            rows = Array(Set(found).union(earlier.suspects ?? [])).sorted()
            return (rows.chunks(of: Self.chunk).map { .rows($0) }, stamp)
        }
        let upToDate = Set(answers.joined().map(\.asset.row))
        return rows.filter { !upToDate.contains($0) }
    }

    /// Surveys assets, starting from the results of earlier surveys, and stores the new results.
    private func answers(
        _ jobs: Int,
        _ wanted: (EarlierSurvey) throws -> (chunks: [PhotoLibrary.WantedAssets], stamp: Int64?)
    ) async throws -> [[(asset: SurveyedAsset, finding: Finding)]] {
        var earlier = try await earlierSurvey()
        var (chunks, stamp) = try wanted(earlier)
        var answers = try await answers(chunks, earlier, jobs)
        let stamps = answers.map(\.stamp) + [stamp]
        if earlier.suspects != nil, stamps.contains(where: { $0 != nil && $0 != earlier.stamp }) {
            // Another process has surveyed meanwhile, possibly with other extensions.
            earlier = .none
            (chunks, stamp) = try wanted(earlier)
            answers = try await self.answers(chunks, earlier, jobs)
        }
        await store(answers.map(\.upToDate), earlier)
        return answers.map(\.upToDate)
    }

    private func answers(
        _ chunks: [PhotoLibrary.WantedAssets], _ earlier: EarlierSurvey, _ jobs: Int
    ) async throws -> [Answer] {
        var answers: [Answer] = []
        try await forEachOrdered(chunks, limit: jobs) {
            // Assets that cannot be read here are read and reported one by one later.
            (try? await self.answer($0, earlier)) ?? Answer()
        } deliver: {
            answers.append($0)
        }
        return answers
    }

    private func answer(
        _ wanted: PhotoLibrary.WantedAssets, _ earlier: EarlierSurvey
    ) async throws -> Answer {
        let records = try library.renditionRecords(of: wanted, suspects: earlier.suspects)
        var answer = Answer(stamp: records.stamp)
        answer.upToDate.reserveCapacity(wanted.count)
        for (asset, isEdited) in records.upToDate {
            answer.upToDate.append((asset, isEdited ? .unchanged : .unedited))
        }
        for asset in records.unedited { answer.upToDate.append((asset, .unedited)) }
        var known = templates.all
        for record in records.edited {
            // A damaged record must not prevent the survey of the others.
            try? await complete(&known, for: record)
            if known.describes(record), blobs.contains(record.blob), record.hasKeyOfIngredients {
                answer.upToDate.append((record.asset, .unchanged))
            }
        }
        templates.add(known)
        return answer
    }

    /// Stores the new results. This is best effort: a result that cannot be stored is determined again the next time.
    private func store(
        _ found: [[(asset: SurveyedAsset, finding: Finding)]], _ earlier: EarlierSurvey
    ) async {
        guard stores, let stamp = earlier.stamp else { return }
        let assets = found.joined().map(\.asset).filter { $0.change != nil }
        if assets.isEmpty { return }
        let stored = Set(earlier.kinds.map(\.name))
        let kinds = templates.all.kinds.filter { !stored.contains($0.name) }
        _ = try? await library.store(upToDate: assets, by: kinds, stamp: stamp)
    }
}

// MARK: - Parts

extension RerenderSurvey {
    /// Adds the parts that a record needs, made from the history of its asset like any rendering.
    func complete(
        _ known: inout IngredientTemplates.Parts, for record: RenditionRecord
    ) async throws {
        guard
            known.originals[record.originalKind] == nil
                || record.steps.contains(where: { known.steps[$0.kind] == nil })
        else { return }
        let history = try library.history(ofAsset: record.assetIdentifier)
        if known.originals[record.originalKind] == nil {
            known.originals[record.originalKind] = .init(
                content: try await template(history), sample: record.asset.row)
        }
        // The history may be newer than the record.
        let edits = history.chain.filter(\.isEnabled)
        guard edits.map(\.surveyedKind) == record.steps.map(\.kind) else { return }
        for (edit, step) in zip(edits, record.steps) where known.steps[step.kind] == nil {
            known.steps[step.kind] = .init(content: template(edit), sample: record.asset.row)
        }
    }

    /// Returns the common parts of the ingredients for such an original, or `nil` if they cannot be determined.
    private func template(
        _ history: AssetHistory
    ) async throws -> IngredientTemplates.Original? {
        guard let plan = try? renderer.planner.plan([], of: history) else { return nil }
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        let text = String(
            decoding: try plan.ingredients(
                settings: settings, try await renderer.versions(settings)
            ).encoded, as: UTF8.self)
        let parts = text.components(separatedBy: plan.original.hex)
        guard parts.count == 3 else { return nil }
        let ends = parts[2].components(separatedBy: "\"steps\":[]")
        guard ends.count == 2 else { return nil }
        return IngredientTemplates.Original(
            beforeBase: Array(parts[0].utf8), beforeOriginal: Array(parts[1].utf8),
            beforeSteps: Array((ends[0] + "\"steps\":[").utf8), end: Array(("]" + ends[1]).utf8))
    }

    /// Returns the common parts of the steps of an extension with such recipes, or `nil` if the step cannot be run.
    private func template(_ edit: Edit) -> IngredientTemplates.Step? {
        guard let step = try? renderer.planner.step(edit) else { return nil }
        let ingredient = RenditionIngredients.Step(step)
        let encoder = JSONEncoder()
        encoder.outputFormatting = RenditionIngredients.format
        guard let data = try? encoder.encode(ingredient) else { return nil }
        let parts = String(decoding: data, as: UTF8.self)
            .components(separatedBy: ingredient.recipe.hex)
        guard parts.count == 2 else { return nil }
        return IngredientTemplates.Step(
            beforeRecipe: Array(parts[0].utf8), end: Array(parts[1].utf8))
    }
}

extension Array {
    /// Returns the elements in arrays of this length. The last array may be shorter.
    fileprivate func chunks(of length: Int) -> [[Element]] {
        stride(from: 0, to: count, by: length).map {
            Array(self[$0..<Swift.min($0 + length, count)])
        }
    }
}
