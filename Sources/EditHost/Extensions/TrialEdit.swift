// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import RunnerProtocol

/// The edit that an ``ExtensionTrial`` makes of its decoded input.
struct TrialEdit {
    let host: ExtensionHost
    let binary: ExtensionBinary
    let input: TrialInput
    /// The box of the preview; nil for the finished edit.
    let size: PixelSize?
    /// The recipe to start from.
    let recipe: StartingRecipe?
    let values: [String: ParameterValue]
    let cancellation: EditCancellation

    /// An edited picture.
    struct Edited {
        let parameters: [String: ParameterValue]
        let adjustmentData: AdjustmentData
        let picture: Renderer.Base
    }

    /// Edits the input.
    ///
    /// - Throws: `HostError`, with `cannotRender` if the extension has nothing to commit.
    func run() async throws -> Edited {
        let session = try await ControllerSession(binary, inputExtensions: [], pool: host.pool)
        cancellation.follow(session)
        let result = await Result.capturing { try await edit(in: session) }
        cancellation.forget(session)
        await session.close()
        if case .failure = result { try cancellation.check() }
        return try result.get()
    }

    /// The box of the preview. Frames of videos are always previewed, because only their recipe is finished.
    private var previewSize: PixelSize? {
        size ?? (input.isVideo ? fullSize : nil)
    }

    private var fullSize: PixelSize {
        PixelSize(width: input.facts.pixelWidth, height: input.facts.pixelHeight)
    }

    private func edit(in session: ControllerSession) async throws -> Edited {
        let data = try await recipe?.data(takenBy: session)
        var start = input.start(from: data, previewSize: previewSize)
        if let video = try input.video() {
            session.offer(video: { (video, nil) }, host.logger)
            start.offersVideo = true
        }
        var parameters = try await session.start(start, input.descriptors)
        try recipe?.requireEffect(on: parameters, of: binary.manifest)
        if !values.isEmpty { parameters = try await session.setParameters(values, in: nil) }
        try cancellation.check()
        var picture: Renderer.Base?
        if let previewSize {
            let pixels = try await session.preview(
                UncompressedPixelsOutput(), PreviewView(box: previewSize))
            picture = Renderer.Base(pixels: pixels, over: input.pixels)
        }
        guard let finished = try await session.finish() else {
            throw HostError(
                .cannotRender, "\(binary.manifest.identifier) has nothing to commit",
                extension: binary.manifest.identifier)
        }
        if picture == nil { picture = try await self.picture(finished, in: session) }
        return Edited(
            parameters: parameters, adjustmentData: finished.adjustmentData,
            picture: picture ?? input.pixels)
    }

    /// Returns the result of the finished edit: the verified file that the extension wrote, or its pixels.
    private func picture(
        _ finished: FinishedEdit, in session: ControllerSession
    ) async throws -> Renderer.Base {
        if let file = finished.file {
            return try await host.pool.verified(
                try await session.takeWrittenFile(), file, by: binary)
        }
        return Renderer.Base(
            pixels: try await session.render(UncompressedPixelsOutput()), over: input.pixels)
    }

    /// Encodes an edited picture, in a runner without extensions.
    ///
    /// - Throws: `HostError`.
    func encoded(
        _ picture: Renderer.Base, _ settings: EncodeSettings
    ) async throws -> EncodedOutput.Picture {
        var request = RenderInput(base: picture.kind, assumedProfile: picture.assumedProfile)
        request.movesPixels = binary.manifest.keepsPixelsInPlace ? nil : true
        let job = request
        let result = try await host.pool.withRunner { runner in
            try await EncodedOutput(settings).take(
                from: runner, { .run(RenderJob(input: job, output: $0)) },
                input.descriptors(encoding: picture))
        }
        switch result {
        case .picture(let encoded): return encoded
        case .fileWritten: throw HostError(.runnerFailed, "the runner returned no picture")
        }
    }
}
