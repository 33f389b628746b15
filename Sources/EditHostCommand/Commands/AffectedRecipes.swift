// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import JSONOutput
import Library

/// The consequences of another version of an extension for the recipes in a library.
struct AffectedRecipes {
    /// The number of photos with recipes in a format that the version upgrades.
    let waiting: Int
    /// The number of edits in formats that the installed version reads and that the new version does not declare.
    let unreadable: Int

    /// - Parameters:
    ///   - manifest: The manifest of the version.
    ///   - installed: The manifest of the version that it replaces.
    init(
        for manifest: ExtensionManifest, replacing installed: ExtensionManifest,
        in library: PhotoLibrary
    ) throws {
        let readable = manifest.reads + manifest.writes
        let readableBefore = installed.reads + installed.writes + installed.upgrades
        var (waiting, unreadable) = (0, 0)
        for usage in try library.extensionUsage()
        where usage.extensionIdentifier == manifest.identifier {
            let recipe = AdjustmentData(
                formatIdentifier: usage.formatIdentifier, formatVersion: usage.formatVersion,
                data: Data())
            if manifest.upgrades.contains(where: { $0.matches(recipe) }),
                !manifest.canRefreshPhotoData(of: recipe)
            {
                waiting += usage.assetCount
            } else if !readable.isEmpty, !readable.contains(where: { $0.matches(recipe) }),
                readableBefore.isEmpty || readableBefore.contains(where: { $0.matches(recipe) })
            {
                unreadable += usage.editCount
            }
        }
        (self.waiting, self.unreadable) = (waiting, unreadable)
    }
}
