// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// Finds edits that belong to one cut of a picture, such as crops, over which the cut has changed: an edit below them that
/// cuts or resizes the picture is another one, has other values, or is gone.
struct CutWarnings {
    private let extensions: ExtensionStore
    private let old: [Place]
    private let resizing: Set<String>

    /// An edit that is applied, at its place in a chain.
    struct Place {
        /// The edit of the asset that it is, or takes the place of; nil: it is new.
        let origin: String?
        /// The extension's identifier.
        let author: String?
        let adjustmentData: AdjustmentData
    }

    /// - Parameter history: the asset before the change.
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

    /// What the user should know.
    ///
    /// - Parameter new: the edits that are applied after the change.
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

extension CutWarnings.Place {
    /// An edit as it is.
    init(_ edit: Edit) {
        self.init(
            origin: edit.identifier, author: edit.editingExtension?.identifier,
            adjustmentData: edit.adjustmentData)
    }

    /// A step that is to be; nil: it is disabled.
    init?(_ step: ChainStep) {
        guard step.stored.isEnabled else { return nil }
        self.init(
            origin: step.origin, author: step.stored.editingExtension?.identifier,
            adjustmentData: step.stored.adjustmentData)
    }
}

extension FinishedAssetEdit {
    /// What the user should know of edits above this one.
    func cutWarnings(_ extensions: ExtensionStore) -> [String] {
        guard let output, let author = output.editingExtension?.identifier,
            let recipe = output.adjustmentData, !output.input.above.isEmpty
        else { return [] }
        let input = output.input
        let own = CutWarnings.Place(
            origin: input.replaced?.identifier, author: author, adjustmentData: recipe)
        return CutWarnings(history, extensions).warnings(
            input.below.filter(\.isEnabled).map(CutWarnings.Place.init) + [own]
                + input.above.filter(\.isEnabled).map(CutWarnings.Place.init))
    }
}
