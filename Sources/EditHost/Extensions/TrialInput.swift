// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// The decoded picture of an ``ExtensionTrial``.
struct TrialInput {
    /// The picture or video itself.
    let file: OpenFile
    /// The facts about the file.
    let facts: PhotoFacts
    /// The decoded pixels. Their `moment` is nil if they are edited as a photo.
    let pixels: Renderer.Base

    /// Whether the input is edited as a video.
    var isVideo: Bool { pixels.moment != nil }

    /// Returns the video that the extension may read, or nil if the input is edited as a photo.
    func video() throws -> AssetVideo? {
        guard isVideo else { return nil }
        return try AssetVideo(
            file, facts.format, PixelSize(width: facts.pixelWidth, height: facts.pixelHeight),
            duration: facts.video?.duration ?? 0)
    }

    /// Decodes a picture, or a frame of a video.
    ///
    /// - Parameter time: The time of the frame in seconds; nil means the first.
    /// - Throws: `HostError` with `noSuchFile`, `badInput`, `blockedFormat`, `unsupportedMediaType`; `badRequest` for a
    ///   time in a picture.
    init(
        _ path: String, for manifest: ExtensionManifest, at time: Double?, by pool: RunnerPool
    ) async throws {
        let file = try OpenFile.readingRegularFile(path, else: .badInput)
        let format = MediaFormat(firstBytes: try file.read(count: MediaFormat.sniffLength))
        let isVideo = format.mediaType == .video
        guard isVideo || format.isOpened else {
            throw HostError.unsupported(format, named: path)
        }
        guard isVideo || time == nil else {
            throw HostError(.badRequest, "\(path) is not a video; only videos have a time")
        }
        let types = manifest.supportedMediaTypes
        guard types.contains(.image) || isVideo && types.contains(.video) else {
            throw HostError(
                .unsupportedMediaType,
                "the extension \(manifest.identifier) cannot edit assets of type "
                    + format.mediaType.name, extension: manifest.identifier)
        }
        self.file = file
        do {
            facts = try await (isVideo ? pool.forVideos() : pool).decoded(file, format).facts
            let base = Renderer.Base(bytes: file, kind: .encoded(format))
            var pixels =
                try await isVideo
                ? pool.still(of: base, at: time) : pool.pixels(of: base)
            if !types.contains(.video) { pixels.moment = nil }
            self.pixels = pixels
        } catch let error as HostError where error.isAboutPicture {
            throw HostError(error.code, "\(path): \(error.message)", underlying: error)
        }
    }

    /// Returns the message that starts an edit.
    ///
    /// - Parameters:
    ///   - recipe: The recipe to start from, or nil.
    ///   - previewSize: The box of the preview; if nil, none is rendered.
    func start(from recipe: AdjustmentData?, previewSize: PixelSize?) -> SessionStart {
        // A frame of a video that is edited as a photo has no separate MIME type.
        let isFrame = facts.video != nil && !isVideo
        let type = isFrame ? MediaFormat.png : facts.format
        let rendered = isFrame ? MediaFormat.png : EncodeSettings.rendition(of: facts).format
        var start = SessionStart(
            input: RenderInput(base: pixels.kind), adjustmentData: recipe,
            isInteractive: previewSize != nil, placeholder: nil,
            mediaType: isVideo ? .video : .image,
            // The video of a motion photo is not part of the input.
            mediaSubtypes: isFrame ? [] : facts.mediaSubtypes.subtracting(.photoLive),
            creationDate: facts.creationDate?.text, location: facts.location,
            capture: CaptureFacts(facts), contentType: type.contentType,
            renderedContentType: rendered.contentType)
        start.input.moment = pixels.moment
        if let previewSize { start.displaySize = max(previewSize.width, previewSize.height) }
        return start
    }

    /// The descriptors that start an edit. An untrusted extension gets the pixels and their profile, but no file.
    var descriptors: [(DescriptorRole, OpenFile)] {
        [(.base, pixels.bytes)] + (pixels.profile.map { [(.profile, $0)] } ?? [])
    }

    /// The descriptors for encoding an edit, with the metadata of a picture.
    ///
    /// - Parameter edited: The edited picture.
    func descriptors(encoding edited: Renderer.Base) -> [(DescriptorRole, OpenFile)] {
        guard facts.video != nil else { return [(.base, edited.bytes), (.metadataSource, file)] }
        return [(.base, edited.bytes)] + (edited.profile.map { [(.profile, $0)] } ?? [])
    }
}
