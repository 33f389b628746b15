// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

/// Finds edits that depend on the framing of the picture, such as crops, and whose framing has changed: an edit below
/// them that crops or resizes was replaced, has different values, or was removed.
struct FramingWarnings {
    private let extensions: ExtensionStore
    private let chain: [Edit]
    private let old: [ChainStep]
    private let resizing: Set<String>

    /// - Parameter history: The history of the asset before the change.
    init(_ history: AssetHistory, _ extensions: ExtensionStore) {
        self.extensions = extensions
        chain = history.chain
        old = Self.enabled(chain)
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
    /// - Parameters:
    ///   - kept: The number of edits that stay at the bottom of the edit stack.
    ///   - steps: The steps above them.
    func warnings(_ kept: Int, _ steps: [ChainStep]) -> [String] {
        let new = Self.enabled(chain.prefix(kept)) + steps.filter(\.stored.isEnabled)
        return new.indices.compactMap { index in
            let edit = new[index]
            guard isBound(edit), let origin = edit.origin,
                let before = old.firstIndex(where: { $0.origin == origin }),
                !cuts(old[..<before]).elementsEqual(cuts(new[..<index]), by: isSame)
            else { return nil }
            return
                "the edit with \(Self.author(edit) ?? "an application") was made for a different "
                + "crop of the photo; check that it still fits"
        }
    }

    private static func enabled(_ edits: some Sequence<Edit>) -> [ChainStep] {
        edits.filter(\.isEnabled).map { ChainStep($0, nil) }
    }

    private static func author(_ edit: ChainStep) -> String? {
        edit.stored.editingExtension?.identifier
    }

    private func cuts(_ edits: ArraySlice<ChainStep>) -> [ChainStep] {
        edits.filter { isBound($0) || $0.origin.map(resizing.contains) ?? false }
    }

    private func isSame(_ one: ChainStep, _ other: ChainStep) -> Bool {
        Self.author(one) == Self.author(other)
            && one.stored.adjustmentData == other.stored.adjustmentData
    }

    private func isBound(_ edit: ChainStep) -> Bool {
        guard let author = Self.author(edit),
            let binary = try? extensions.binary(identifier: author)
        else { return false }
        return binary.manifest.contentBound
    }
}
