// SPDX-License-Identifier: Apache-2.0

import Hashing
import EditingModel
import Foundation
import Library
import RunnerProtocol

/// Everything that determines the bytes of a rendition. Equal ingredients, equal bytes.
struct RenditionIngredients: Codable, Hashable, Sendable {
    /// One step, with the build of the extension that ran it.
    struct Step: Codable, Hashable, Sendable {
        let `extension`: EditingExtensionIdentity
        let formatIdentifier: String
        let formatVersion: String
        /// The SHA-256 of the recipe's bytes.
        let recipe: SHA256Digest
        /// The hashes of the files that its parameters name, in the order of these; nil: there are none.
        let files: [SHA256Digest]?
        /// Whether metadata of places stays, as its manifest says; nil: it does not.
        let keepsPixelsInPlace: Bool?
    }

    /// The hash of the base's bytes.
    let base: SHA256Digest
    /// The hash of the original, whose metadata is copied.
    let original: SHA256Digest
    let steps: [Step]
    let settings: EncodeSettings
    /// ``HostVersion/rendering``.
    let hostRendering: Int
    /// The version of libvips.
    let vips: String
    /// Of a video: FFmpeg's libraries with their versions. Nil: it is a picture.
    let media: String?

    /// How they are written.
    static let format: JSONEncoder.OutputFormatting = [.sortedKeys, .withoutEscapingSlashes]

    /// The bytes that are hashed and stored: JSON with sorted keys.
    var encoded: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = Self.format
            return try encoder.encode(self)
        }
    }

    /// The rendition's key.
    var key: SHA256Digest {
        get throws { SHA256Digest(bytes: SHA256.hash(data: try encoded)) }
    }
}

extension RenditionIngredients.Step {
    init(_ step: StatePlan.Step) {
        let data = step.adjustmentData
        files = step.files.isEmpty ? nil : step.files.map(\.description.hash)
        keepsPixelsInPlace = step.binary.manifest.keepsPixelsInPlace ? true : nil
        self.extension = step.identity
        formatIdentifier = data.formatIdentifier
        formatVersion = data.formatVersion
        recipe = SHA256Digest(bytes: SHA256.hash(data: data.data))
    }
}
