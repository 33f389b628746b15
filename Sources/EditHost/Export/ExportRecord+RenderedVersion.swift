// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ExportRecord.RenderedVersion {
    /// Creates the description of the current version; nil without edits, or if its picture is not stored.
    init?(_ history: AssetHistory) {
        guard let tip = history.chain.last, let current = tip.current else { return nil }
        edit = tip.identifier
        picture = String(current.blob.hex.prefix(16))
        // Edits below a lossless picture are among the ingredients of that picture.
        let renditions = history.chain.filter(\.isEnabled).compactMap(\.base) + [current]
        builds = Self.builds(
            renditions.flatMap { RenditionIngredients(of: $0)?.steps ?? [] }.map(\.extension))
    }

    /// Returns builds without duplicates.
    static func builds(_ identities: [EditingExtensionIdentity]) -> [Build] {
        identities.map(Build.init).reduce(into: []) { builds, build in
            if !builds.contains(build) { builds.append(build) }
        }
    }

    /// Returns the differences from an earlier picture of the same edits, for messages; nil if the edits have changed,
    /// or neither the picture nor an extension has. Another version of an extension may render an equal picture.
    func rerendering(from old: Self) -> String? {
        guard edit == old.edit else { return nil }
        let changes = builds.compactMap { build -> String? in
            guard let before = old.builds.last(where: { $0.extension == build.extension }),
                before != build
            else { return nil }
            return before.version == build.version
                ? "another build of \(build.extension)"
                : "\(build.extension) \(before.version) became \(build.version)"
        }
        if changes.isEmpty, picture == old.picture { return nil }
        return changes.isEmpty
            ? "edithost, its libraries or files of extensions have changed"
            : changes.joined(separator: ", ")
    }
}

extension ExportRecord.RenderedVersion.Build {
    init(_ identity: EditingExtensionIdentity) {
        self.init(
            extension: identity.identifier, version: identity.version,
            binary: String(identity.binaryHash.hex.prefix(8)))
    }
}
