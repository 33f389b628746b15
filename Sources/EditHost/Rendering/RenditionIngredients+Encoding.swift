// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Hashing
import RunnerProtocol

extension RenditionIngredients {
    /// The JSON of everything but the hashes and steps, which differ between renditions.
    struct Template: Sendable {
        fileprivate let beforeOriginal: String
        fileprivate let beforeSteps: String
        fileprivate let end: String

        /// Returns JSON with sorted keys.
        ///
        /// - Parameter steps: The JSON of each step.
        func encoded(base: SHA256Digest, original: SHA256Digest, steps: [String]) -> Data {
            let text = """
                {"base":{"hex":"\(base.hex)"},\(beforeOriginal)"original":{"hex":"\(original.hex)"},\
                \(beforeSteps)"steps":[\(steps.joined(separator: ","))],\(end)}
                """
            return Data(text.utf8)
        }
    }

    /// The part that renditions with the same settings have in common.
    var template: Template {
        get throws {
            let media = try media.map { "\"media\":\(try json($0))," } ?? ""
            return Template(
                beforeOriginal: "\"hostRendering\":\(hostRendering),\(media)",
                beforeSteps: "\"settings\":\(try json(settings)),",
                end: "\"vips\":\(try json(vips))")
        }
    }

    /// The bytes that are hashed and stored: JSON with sorted keys.
    var encoded: Data {
        get throws {
            try template.encoded(
                base: base, original: original,
                steps: steps.map { try $0.template.encoded(recipe: $0.recipe.hex) })
        }
    }

    /// The key of the rendition: the SHA-256 of ``encoded``.
    var key: SHA256Digest {
        get throws { SHA256Digest(bytes: SHA256.hash(data: try encoded)) }
    }
}

extension RenditionIngredients.Step {
    /// The JSON of a step up to its last member, the hash of the recipe.
    struct Template: Sendable {
        fileprivate let beforeRecipe: String

        /// Returns JSON with sorted keys.
        func encoded(recipe: String) -> String { beforeRecipe + recipe + Self.end }

        /// The end of the JSON of a digest, and of the step.
        fileprivate static let end = "\"}}"
    }

    /// The part that steps of the same build and recipe format have in common.
    var template: Template {
        get throws {
            Template(
                beforeRecipe: String(try json(self).dropLast(recipe.hex.count + Template.end.count))
            )
        }
    }
}

private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}
