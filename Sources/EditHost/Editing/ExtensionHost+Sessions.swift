// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

extension ExtensionHost {
    /// The binaries of the edits in a chain whose extensions are installed.
    func runnableBinaries(of chain: [Edit]) -> [ExtensionBinary] {
        StatePlan.unique(
            chain.compactMap { edit in
                edit.editingExtension.flatMap {
                    try? extensions.binary(identifier: $0.identifier)
                }
            })
    }

    /// Starts a session's edit from the state that a plan describes.
    @discardableResult
    func start(
        _ session: EditingSession, _ input: ContentEditingInput, _ plan: StatePlan,
        _ library: PhotoLibrary
    ) async throws -> [String: ParameterValue] {
        let renderer = Renderer(pool: pool, library: library)
        let history = input.history
        // A lost rendition is no reason not to edit: the original stands in for it.
        let current = history.chain.last?.current
            .flatMap { library.containsBlob($0.blob) ? $0 : nil }
        let placeholder = try renderer.open(
            current?.blob ?? plan.original,
            .encoded(current?.format ?? plan.originalFacts.format), of: plan)
        let base = try renderer.open(plan.base, .encoded(plan.baseFormat), of: plan)
        let start = SessionStart(
            input: RenderInput(base: base.kind, steps: plan.steps.map(\.renderStep)),
            adjustmentData: input.adjustmentData,
            placeholderFormat: current?.format ?? plan.originalFacts.format,
            mediaType: history.asset.mediaType, mediaSubtypes: history.asset.mediaSubtypes,
            creationDate: history.asset.captureDate?.text, location: history.asset.location,
            contentType: plan.originalFacts.format.contentType,
            renderedContentType: EncodeSettings.rendition(of: plan.originalFacts)
                .format.contentType)
        return try await session.start(
            start, base: base.bytes,
            metadataSource: try renderer.open(plan.original, base.kind, of: plan).bytes,
            placeholder: placeholder.bytes)
    }
}
