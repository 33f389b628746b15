// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// An edit that is ready to be committed, or has nothing to commit.
struct FinishedAssetEdit: Sendable {
    let history: AssetHistory
    let input: EditResult.Input
    /// The output to commit, or nil if nothing has changed.
    let output: ContentEditingOutput?
    /// Whether the edit would have continued another one if the original of the video had been available.
    var lacksOriginal = false

    /// The warning for an edit of the current video in place of its unavailable original.
    static let overCurrent =
        "added a second edit to the current video instead of updating the last one, because the "
        + "original is not available; use undo to remove the second edit"
    /// The warning for an edit that hides the motion of a Live Photo.
    static let lostMotion =
        "the photograph no longer has motion; the original keeps it, and revert restores it"

    /// Whether the edit hides the motion of a Live Photo.
    var losesMotion: Bool {
        history.hasMotion && output?.renderedContent?.otherParts.isEmpty == true
    }

    /// Returns a warning if the last edit was made by another version of the extension, in a format that this version does
    /// not support. The new edit is then added above it instead of continuing it.
    func uncontinuedEdit(_ manifest: ExtensionManifest) -> [String] {
        guard let input = output?.input, input.replaced == nil, let last = input.below.last,
            last.isEnabled, let author = last.editingExtension,
            author.identifier == manifest.identifier, author.version != manifest.version
        else { return [] }
        let recipe = last.adjustmentData
        let known = manifest.reads + manifest.upgrades + manifest.writes
        guard !known.contains(where: { $0.matches(recipe) }) else { return [] }
        return [
            "added a second edit instead of updating the last one: it was made with "
                + "\(author.identifier) \(author.version), in the format "
                + "\(recipe.formatIdentifier) \(recipe.formatVersion), which "
                + "\(manifest.version) does not read; use undo to remove the second edit"
        ]
    }
}
