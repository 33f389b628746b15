// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerHost
import RunnerProtocol

extension ValidatedExtension {
    /// An edited frame of a video.
    struct Frame: Hashable, Sendable {
        /// Its time in milliseconds.
        let time: Int64
        let picture: ValidationPicture
    }

    /// The duration of the frames that the extension gets, in milliseconds.
    private static let frameDuration: Int64 = 40

    /// Returns the edited frames of a video.
    ///
    /// - Parameter pictures: Its frames, of one size.
    func frames(
        _ pictures: [ValidationPicture], _ recipe: AdjustmentData
    ) async throws -> [Frame] {
        try await host.pool.withRunner(loading: [binary]) { runner in
            let jobs = pictures.enumerated().map { index, picture in
                let time = FrameTime(
                    timestamp: Int64(index) * Self.frameDuration, duration: Self.frameDuration)
                return (FrameJob(time: time, layout: picture.layout, output: nil), picture)
            }
            guard let first = jobs.first else { return [] }
            var input = RenderInput(
                base: .raw(first.1.layout),
                steps: [
                    RenderStep(
                        extensionIdentifier: manifest.identifier, adjustmentData: recipe)
                ])
            input.moment = FrameIdentity(Self.timing, first.0.time)
            try await runner.done(.openFrames(input), [(.base, try first.1.sealedFile())])
            let reply = try await runner.send(
                .generatesFrames([manifest.identifier]), timeout: runner.timeouts.interactive)
            guard case .answers(let answers) = reply else { throw runner.unexpected(reply) }
            var frames: [Frame] = []
            for (job, picture) in jobs {
                if answers == [true] {
                    try await runner.done(
                        .putFrame(job), [(.reusedBase, try picture.sealedFile())])
                    frames += try await runner.generatedFrames()
                } else {
                    let edited = try await runner.frame(
                        .processFrame(job), [(.reusedBase, try picture.sealedFile())])
                    guard let edited else { continue }
                    frames.append(Frame(time: job.time.timestamp, picture: edited.picture))
                }
            }
            if answers == [true] {
                try await runner.done(.putFrame(nil), [])
                frames += try await runner.generatedFrames()
            }
            try await runner.done(.closeFrames, [])
            return frames
        }
    }
}

extension Runner {
    fileprivate func done(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws {
        let reply = try await send(request, descriptors, timeout: timeouts.interactive)
        guard case .done = reply else { throw unexpected(reply) }
    }

    /// Returns the frames that an extension has ready. Their number is limited, because a faulty extension may produce
    /// any number.
    fileprivate func generatedFrames() async throws -> [ValidatedExtension.Frame] {
        var frames: [ValidatedExtension.Frame] = []
        while frames.count < 100, let frame = try await frame(.takeFrame(nil), []) {
            frames.append(frame)
        }
        return frames
    }

    /// Requests an edited frame; nil if there is none yet. Its time is 0 if the runner reports none.
    fileprivate func frame(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> ValidatedExtension.Frame? {
        let reply = try await send(request, descriptors, timeout: timeouts.interactive)
        if case .frame(nil) = reply { return nil }
        guard case .outputNeeded(let layout) = reply else { throw unexpected(reply) }
        let pixels = try await takePixels(of: layout, nil, for: request)
        return ValidatedExtension.Frame(
            time: pixels.moment?.time.timestamp ?? 0, picture: try ValidationPicture(pixels))
    }
}
