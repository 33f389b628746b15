// SPDX-License-Identifier: Apache-2.0

import Hashing
import EditingModel
import Foundation
import Library
import RunnerProtocol

/// All inputs that determine the bytes of a rendition. Equal ingredients give equal bytes.
struct RenditionIngredients: Codable, Hashable, Sendable {
    /// A step, with the build of the extension that ran it.
    struct Step: Codable, Hashable, Sendable {
        let `extension`: EditingExtensionIdentity
        let formatIdentifier: String
        let formatVersion: String
        /// The SHA-256 of the recipe's bytes.
        let recipe: SHA256Digest
        /// The hashes of the files that the parameters name, in the same order; `nil` if there are none.
        let files: [SHA256Digest]?
        /// `true` if the manifest declares that pixels stay in place, so metadata of places is kept; otherwise `nil`.
        let keepsPixelsInPlace: Bool?
    }

    /// The hash of the base's bytes.
    let base: SHA256Digest
    /// The hash of the original, whose metadata is copied.
    let original: SHA256Digest
    let steps: [Step]
    let settings: EncodeSettings
    /// The value of ``HostVersion/rendering``.
    let hostRendering: Int
    /// The version of libvips.
    let vips: String
    /// FFmpeg's libraries with their versions, for a video; `nil` for a picture.
    let media: String?
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

extension RenditionIngredients {
    /// Reads the ingredients of a stored rendition; `nil` if another version of edithost wrote them.
    init?(of stored: Rendition) {
        guard let decoded = try? JSONDecoder().decode(Self.self, from: stored.ingredients) else {
            return nil
        }
        self = decoded
    }
}
