// SPDX-License-Identifier: Apache-2.0

import struct Crypto.SHA256
import EditingModel
import Foundation
import Library
import RunnerProtocol
import Synchronization

/// Finds out for many assets at once which are up to date, without reading recipes or opening a file.
///
/// What a rendition was made of is stored as JSON, which is put together here for each photograph from parts that most have in
/// common. Where the stored one is the same, and its key is its hash, there is nothing to do. Of all others nothing
/// is said: ``Rerendering`` looks at their histories.
struct RerenderSurvey: Sendable {
    /// Why an asset is up to date.
    enum Finding: Sendable {
        case unedited
        case unchanged
        /// Somebody has looked at it by itself.
        case looked(RerenderResult)
    }

    let renderer: Renderer
    private let templates = IngredientTemplates()
    private let blobs: BlobLookup
    /// How many assets are read in one transaction.
    private static let chunk = 1000

    private var library: PhotoLibrary { renderer.library }

    init(_ renderer: Renderer) {
        self.renderer = renderer
        blobs = BlobLookup(renderer.library)
    }

    /// The assets that are up to date, with the reason; some may be missing.
    ///
    /// - Throws: `CancellationError`.
    func findings(_ identifiers: [String], jobs: Int) async throws -> [String: Finding] {
        let identifiers =
            identifiers.count > Self.chunk
            ? (try? library.inStorageOrder(identifiers)) ?? identifiers : identifiers
        let chunks = stride(from: 0, to: identifiers.count, by: Self.chunk).map {
            Array(identifiers[$0..<min($0 + Self.chunk, identifiers.count)])
        }
        var findings: [String: Finding] = [:]
        findings.reserveCapacity(identifiers.count)
        try await forEachOrdered(chunks, limit: jobs) {
            // What cannot be read here is read, and reported, one by one.
            (try? await self.findings($0)) ?? []
        } deliver: { found in
            for (identifier, finding) in found { findings[identifier] = finding }
        }
        return findings
    }

    private func findings(_ identifiers: [String]) async throws -> [(String, Finding)] {
        let records = try library.renditionRecords(of: identifiers)
        var findings = records.unedited.map { ($0, Finding.unedited) }
        var known = templates.all
        for record in records.edited {
            // One that is damaged does not send the others the long way.
            try? await complete(&known, for: record)
            if known.describes(record), blobs.contains(record.blob), record.hasKeyOfIngredients {
                findings.append((record.assetIdentifier, .unchanged))
            }
        }
        templates.add(known)
        return findings
    }

    /// Makes the parts that a record needs, from the history of its asset, as any rendering does.
    private func complete(
        _ known: inout IngredientTemplates.Parts, for record: RenditionRecord
    ) async throws {
        guard
            known.originals[record.originalKind] == nil
                || record.steps.contains(where: { known.steps[$0.kind] == nil })
        else { return }
        let history = try library.history(ofAsset: record.assetIdentifier)
        if known.originals[record.originalKind] == nil {
            known.originals[record.originalKind] = .some(try await template(history))
        }
        let edits = history.chain.filter(\.isEnabled)
        guard edits.count == record.steps.count else { return }
        for (edit, step) in zip(edits, record.steps) where known.steps[step.kind] == nil {
            known.steps[step.kind] = .some(template(edit))
        }
    }

    /// What all ingredients of renditions of such an original have in common; nil: that cannot be said.
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

    /// What all steps of an extension with such recipes have in common; nil: the step cannot be run.
    private func template(_ edit: Edit) -> IngredientTemplates.Step? {
        guard let step = try? renderer.planner.step(edit) else { return nil }
        let ingredient = RenditionIngredients.Step(step.identity, step.adjustmentData, step.files)
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

extension ExtensionHost {
    /// The assets that are found up to date without looking at each by itself.
    package func surveyed(
        _ identifiers: [String], in library: PhotoLibrary
    ) async throws -> Set<String> {
        let survey = RerenderSurvey(renderer(of: library))
        return Set(try await survey.findings(identifiers, jobs: 1).keys)
    }
}

/// The parts that ingredients have in common.
private final class IngredientTemplates: Sendable {
    /// Those of one kind of original.
    struct Original {
        let beforeBase: [UInt8]
        let beforeOriginal: [UInt8]
        let beforeSteps: [UInt8]
        let end: [UInt8]
    }

    /// Those of one kind of step.
    struct Step {
        let beforeRecipe: [UInt8]
        let end: [UInt8]
    }

    /// The parts, by their kinds; nil for a kind: what is of it has to be looked at by itself.
    struct Parts {
        var originals: [String: Original?] = [:]
        var steps: [String: Step?] = [:]

        /// Whether the ingredients are those that the record would be made of now.
        func describes(_ record: RenditionRecord) -> Bool {
            guard case .some(.some(let original)) = originals[record.originalKind] else {
                return false
            }
            return record.ingredients.withUnsafeBytes { bytes in
                var rest = Comparison(rest: bytes[...])
                rest.take(original.beforeBase)
                rest.take(record.original.hex.utf8)
                rest.take(original.beforeOriginal)
                rest.take(record.original.hex.utf8)
                rest.take(original.beforeSteps)
                for (index, step) in record.steps.enumerated() {
                    guard case .some(.some(let parts)) = steps[step.kind] else { return false }
                    if index > 0 { rest.take(",".utf8) }
                    rest.take(parts.beforeRecipe)
                    rest.take(step.recipe.utf8)
                    rest.take(parts.end)
                }
                rest.take(original.end)
                return rest.isEqual && rest.rest.isEmpty
            }
        }
    }

    private let parts = Mutex(Parts())

    var all: Parts { parts.withLock { $0 } }

    func add(_ new: Parts) {
        parts.withLock { parts in
            parts.originals.merge(new.originals) { known, _ in known }
            parts.steps.merge(new.steps) { known, _ in known }
        }
    }
}

/// Compares bytes with one part after another.
private struct Comparison {
    var rest: Slice<UnsafeRawBufferPointer>
    var isEqual = true

    mutating func take(_ part: some Collection<UInt8>) {
        guard isEqual else { return }
        let count = part.count
        isEqual = rest.count >= count && rest.prefix(count).elementsEqual(part)
        rest = rest.dropFirst(count)
    }
}

extension RenditionRecord {
    /// Whether the key is the hash of the ingredients.
    fileprivate var hasKeyOfIngredients: Bool {
        SHA256Digest(bytes: SHA256.hash(data: ingredients)) == key
    }
}
