// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import RunnerProtocol
import Synchronization

/// An edit in progress of one photo, from its start until it is committed.
struct StartedEdit: Sendable {
    let preparation: EditPreparation
    let session: ControllerSession
    /// The edit that is continued, or nil for a new edit.
    let continued: Edit?
    let input: ContentEditingInput
    /// The plan that renders the input.
    let plan: StatePlan
    let start: EditPreparation.Start
    /// Whether the edit would continue another one if the original of the video were available.
    var lacksOriginal = false
    /// The full-size pixels that the session received after its start. Accessed by one call at a time.
    private let supplied = SuppliedBase()

    var host: ExtensionHost { preparation.host }
    var binary: ExtensionBinary { preparation.binary }
    var renderer: Renderer { preparation.renderer }
    var cancellation: EditCancellation { preparation.cancellation }
    /// The asset's history when the edit was started.
    var history: AssetHistory { input.history }

    /// The state that the extension received as its input.
    var kindOfInput: EditResult.Input {
        input.below.isEmpty ? .original : continued == nil ? .current : .previous
    }

    /// Closes the edit, in any state.
    func close() async {
        cancellation.forget(session)
        await session.close()
    }

    // MARK: - Previews

    /// Renders the current state of the edit as an encoded image.
    ///
    /// - Parameters:
    ///   - settings: The encoding. Its `size` is the box that the preview is fitted into.
    ///   - region: The region of the edited picture; nil means all of it.
    /// - Throws: `HostError`.
    func preview(
        _ settings: EncodeSettings, of region: NormalizedRect? = nil
    ) async throws -> EncodedOutput.Picture {
        let view = try await prepared(PreviewView(box: settings.size, region: region))
        guard session.isUntrusted else {
            let picture = try await session.preview(EncodedOutput(settings), view)
            guard let closer = closer(view, than: picture.size) else { return picture }
            return try await session.preview(EncodedOutput(settings), try await prepared(closer))
        }
        let pixels = try await pixels(view)
        var picture = try await preparation.interactiveRenderer.run(
            [], over: Renderer.Base(pixels: pixels, over: start.base), of: plan,
            EncodedOutput(settings))
        picture.fullSize = pixels.fullSize
        return picture
    }

    /// Renders the current state of the edit as pixels.
    ///
    /// - Parameters:
    ///   - box: The box that the preview is fitted into; nil means a square of the display size.
    ///   - region: The region of the edited picture; nil means all of it.
    /// - Throws: `HostError`.
    func preview(
        within box: PixelSize?, of region: NormalizedRect? = nil
    ) async throws -> DisplaySizeImage {
        try image(
            of: try await pixels(try await prepared(PreviewView(box: box, region: region))),
            over: start.base)
    }

    private func image(
        of pixels: UncompressedPixels, over base: Renderer.Base?
    ) throws -> DisplaySizeImage {
        let layout = pixels.layout
        let profile = layout.profile == .original ? pixels.profile ?? base?.profile : nil
        // Copied, because the buffer is reused by the next preview.
        let data = try pixels.buffer.memory.read(count: layout.byteCount)
        host.pool.buffers.recycle(pixels.buffer)
        return DisplaySizeImage(
            layout: layout,
            originalProfile: try profile.map { try $0.read(count: try $0.byteCount()) },
            data: data)
    }

    /// Renders the input of the edit as pixels at display size.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func displaySizeImage() async throws -> DisplaySizeImage {
        try image(of: try await preparation.displaySizePixels(of: plan), over: nil)
    }

    private func pixels(_ view: PreviewView) async throws -> UncompressedPixels {
        let pixels = try await session.preview(session.previewPixels, view)
        let size = PixelSize(width: pixels.layout.width, height: pixels.layout.height)
        guard let closer = closer(view, than: size) else { return pixels }
        host.pool.buffers.recycle(pixels.buffer)
        return try await session.preview(session.previewPixels, try await prepared(closer))
    }

    /// Returns the same view rendered from the full size, or nil if that would not show more detail.
    private func closer(_ view: PreviewView, than shown: PixelSize) -> PreviewView? {
        let facts = plan.originalFacts
        guard max(facts.pixelWidth, facts.pixelHeight) > preparation.displaySize else { return nil }
        return view.closer(than: shown, displaySize: preparation.displaySize)
    }

    /// Supplies the pixels that a preview needs to the session, and returns the view.
    private func prepared(_ view: PreviewView) async throws -> PreviewView {
        if let region = view.region, !region.isInUnitSquare {
            throw HostError(
                .badRequest,
                "invalid region; give x,y,width,height as fractions of the "
                    + "picture, 0 to 1"
            )
        }
        if view.needsFullSize(displaySize: preparation.displaySize) { _ = try await fullSize() }
        return view
    }

    /// Returns the full-size base of the session's pixels. Supplies it to the session if that has a reduced one.
    func fullSize() async throws -> Renderer.Base {
        guard start.isReduced else { return start.base }
        if let known = supplied.base { return known }
        let base = try await preparation.supplyFullSize(to: session, plan)
        supplied.set(base)
        return base
    }

    /// Returns the buffers of the input pixels to the pool. The session must not read them afterwards.
    func recyclePixels() {
        for case let buffer? in [supplied.base?.buffer, start.base.buffer] {
            host.pool.buffers.recycle(buffer)
        }
    }
}

private final class SuppliedBase: Sendable {
    private let state = Mutex<Renderer.Base?>(nil)

    var base: Renderer.Base? { state.withLock { $0 } }

    func set(_ base: Renderer.Base) { state.withLock { $0 = base } }
}
