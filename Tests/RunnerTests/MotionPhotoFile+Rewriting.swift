// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension MotionPhotoFile {
    /// Rewrites the Live Photo metadata of a file without re-encoding its pixels.
    static func rewrite(
        _ bytes: [UInt8], _ changes: MetadataChanges, _ format: MediaFormat = .jpeg,
        _ runner: TestRunner? = nil,
        omitted: EncodeSettings.OmittedMetadata? = nil
    ) throws -> (reply: RunnerReply, bytes: [UInt8]) {
        let (base, output) = (try TestFile(bytes), try TestFile())
        var settings = EncodeSettings(format: format)
        settings.keepsPixels = true
        settings.metadataChanges = changes
        settings.omittedMetadata = omitted
        let job = RenderJob(input: RenderInput(base: .encoded(format)), output: .encoded(settings))
        let reply = try withExtendedLifetime((base, output)) {
            try (runner ?? TestRunner()).request(
                .run(job), [(.base, base.number), (.output, output.number)])
        }
        return (reply, output.bytes)
    }

    /// Rewrites a file, and throws if that fails.
    static func rewritten(
        _ bytes: [UInt8], _ changes: MetadataChanges, _ format: MediaFormat = .jpeg,
        omitted: EncodeSettings.OmittedMetadata? = nil
    ) throws -> [UInt8] {
        let (reply, file) = try rewrite(bytes, changes, format, omitted: omitted)
        guard case .rendered(let report) = reply, report.byteCount == file.count else {
            throw unexpected(reply)
        }
        return file
    }
}

extension MetadataChanges {
    /// Changes for a video that will be appended.
    static func appending(
        _ video: [UInt8], at time: Int? = 500_000,
        _ type: AppendedVideo.ContentType = .mp4
    ) -> MetadataChanges {
        var changes = MetadataChanges()
        changes.motionVideo = .set(
            AppendedVideo(contentType: type, length: video.count, presentationTime: time))
        return changes
    }

    /// Changes that remove the video.
    static var removingVideo: MetadataChanges {
        var changes = MetadataChanges()
        changes.motionVideo = .remove
        return changes
    }

    /// Changes that set the content identifier.
    static func identified(_ identifier: String) -> MetadataChanges {
        var changes = MetadataChanges()
        changes.contentIdentifier = .set(identifier)
        return changes
    }
}
