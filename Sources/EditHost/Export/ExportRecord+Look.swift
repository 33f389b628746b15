// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension ExportRecord.Look {
    /// Creates the look of the current version; nil without edits, or if its picture is not stored.
    init?(_ history: AssetHistory) {
        guard let tip = history.chain.last, let current = tip.current else { return nil }
        edit = tip.identifier
        picture = String(current.blob.hex.prefix(16))
        var builds: [Build] = []
        // Edits below a lossless picture are among the ingredients of that picture.
        for rendition in history.chain.filter(\.isEnabled).compactMap(\.base) + [current] {
            for step in RenditionIngredients(of: rendition)?.steps ?? [] {
                let build = Build(step.extension)
                if !builds.contains(build) { builds.append(build) }
            }
        }
        self.builds = builds
    }

    /// Returns the differences from an earlier look of the same edits, for messages; nil if the edits have changed, or
    /// the picture has not.
    func rerendering(from old: Self) -> String? {
        guard edit == old.edit, picture != old.picture else { return nil }
        let changes = builds.compactMap { build -> String? in
            guard let before = old.builds.last(where: { $0.extension == build.extension }),
                before != build
            else { return nil }
            return before.version == build.version
                ? "another build of \(build.extension)"
                : "\(build.extension) \(before.version) became \(build.version)"
        }
        return changes.isEmpty
            ? "edithost, its libraries or files of extensions have changed"
            : changes.joined(separator: ", ")
    }
}

extension ExportRecord.Look.Build {
    init(_ identity: EditingExtensionIdentity) {
        self.init(
            extension: identity.identifier, version: identity.version,
            binary: String(identity.binaryHash.hex.prefix(8)))
    }
}
