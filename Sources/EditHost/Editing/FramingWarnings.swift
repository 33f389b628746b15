// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

/// Finds edits that depend on the framing of the picture, such as crops, and whose framing has changed: an edit below
/// them that crops or resizes was replaced, has different values, or was removed.
struct FramingWarnings {
    private let extensions: ExtensionStore
    private let old: [Place]
    private let resizing: Set<String>

    /// An enabled edit at its position in an edit stack.
    struct Place {
        /// The identifier of the asset's edit that this is or replaces, or nil for a new edit.
        let origin: String?
        /// The identifier of the extension that made the edit.
        let author: String?
        let adjustmentData: AdjustmentData
    }

    /// - Parameter history: the history of the asset before the change.
    init(_ history: AssetHistory, _ extensions: ExtensionStore) {
        self.extensions = extensions
        old = history.chain.filter(\.isEnabled).map(Place.init)
        var size: PixelSize? = PixelSize(
            width: history.asset.originalPixelWidth, height: history.asset.originalPixelHeight)
        var resizing: Set<String> = []
        for edit in history.chain where edit.isEnabled {
            let result = (edit.current ?? edit.base).map {
                PixelSize(width: $0.pixelWidth, height: $0.pixelHeight)
            }
            if let size, let result, size != result { resizing.insert(edit.identifier) }
            size = result
        }
        self.resizing = resizing
    }

    /// Returns warnings for the user, one for each edit whose framing has changed.
    ///
    /// - Parameter new: the enabled edits after the change, in order.
    func warnings(_ new: [Place]) -> [String] {
        new.indices.compactMap { index in
            let edit = new[index]
            guard isBound(edit), let origin = edit.origin,
                let before = old.firstIndex(where: { $0.origin == origin }),
                !cuts(old[..<before]).elementsEqual(cuts(new[..<index]), by: isSame)
            else { return nil }
            return
                "the edit with \(edit.author ?? "an application") was made for a different "
                + "crop of the photograph; check that it still fits"
        }
    }

    private func cuts(_ edits: ArraySlice<Place>) -> [Place] {
        edits.filter { isBound($0) || $0.origin.map(resizing.contains) ?? false }
    }

    private func isSame(_ one: Place, _ other: Place) -> Bool {
        one.author == other.author && one.adjustmentData == other.adjustmentData
    }

    private func isBound(_ edit: Place) -> Bool {
        guard let author = edit.author, let binary = try? extensions.binary(identifier: author)
        else { return false }
        return binary.manifest.contentBound
    }
}

extension FramingWarnings.Place {
    /// Creates a place for a stored edit.
    init(_ edit: Edit) {
        self.init(
            origin: edit.identifier, author: edit.editingExtension?.identifier,
            adjustmentData: edit.adjustmentData)
    }

    /// Creates a place for a planned step, or returns nil if the step is disabled.
    init?(_ step: ChainStep) {
        guard step.stored.isEnabled else { return nil }
        self.init(
            origin: step.origin, author: step.stored.editingExtension?.identifier,
            adjustmentData: step.stored.adjustmentData)
    }
}
