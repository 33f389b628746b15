// SPDX-License-Identifier: Apache-2.0

import Hashing
import EditingModel
import Foundation
import Library
import Synchronization

/// The parts that the ingredients of many renditions have in common.
final class IngredientTemplates: Sendable {
    /// The common parts for one kind of original.
    struct Original: Sendable {
        let beforeBase: [UInt8]
        let beforeOriginal: [UInt8]
        let beforeSteps: [UInt8]
        let end: [UInt8]

        fileprivate var digest: SHA256Digest {
            .init(ofParts: [beforeBase, beforeOriginal, beforeSteps, end])
        }
    }

    /// The common parts for one kind of step.
    struct Step: Sendable {
        let beforeRecipe: [UInt8]
        let end: [UInt8]

        fileprivate var digest: SHA256Digest { .init(ofParts: [beforeRecipe, end]) }
    }

    /// The parts of one kind, with the row of the asset that they were made for.
    struct Template<Content: Sendable>: Sendable {
        /// `nil` if renditions of this kind must be checked one by one.
        let content: Content?
        let sample: Int64
    }

    /// The common parts by kind.
    struct Parts: Sendable {
        var originals: [String: Template<Original>] = [:]
        var steps: [String: Template<Step>] = [:]

        /// Whether the stored ingredients equal those that the record would have now.
        func describes(_ record: RenditionRecord) -> Bool {
            guard let original = originals[record.originalKind]?.content else { return false }
            return record.ingredients.withUnsafeBytes { bytes in
                var rest = Comparison(rest: bytes[...])
                rest.take(original.beforeBase)
                rest.take(record.original.hex.utf8)
                rest.take(original.beforeOriginal)
                rest.take(record.original.hex.utf8)
                rest.take(original.beforeSteps)
                for (index, step) in record.steps.enumerated() {
                    guard let parts = steps[step.kind]?.content else { return false }
                    if index > 0 { rest.take(",".utf8) }
                    rest.take(parts.beforeRecipe)
                    rest.take(step.recipe.utf8)
                    rest.take(parts.end)
                }
                rest.take(original.end)
                return rest.isEqual && rest.rest.isEmpty
            }
        }

        /// The kinds with common parts, in the form that a library stores.
        var kinds: [SurveyedKind] {
            originals.compactMap { kind, template in
                template.content.map {
                    SurveyedKind(
                        subject: .original, kind: kind, digest: $0.digest, sample: template.sample)
                }
            }
                + steps.compactMap { kind, template in
                    template.content.map {
                        SurveyedKind(
                            subject: .step, kind: kind, digest: $0.digest, sample: template.sample)
                    }
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

extension SHA256Digest {
    /// Hashes the parts with their lengths, so that no part can pass for two.
    fileprivate init(ofParts parts: [[UInt8]]) {
        var hash = SHA256()
        for part in parts {
            withUnsafeBytes(of: part.count.littleEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: part)
        }
        self.init(bytes: hash.finalize())
    }
}

/// Compares bytes with a sequence of parts.
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
