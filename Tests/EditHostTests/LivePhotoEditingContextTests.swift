// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Live Photos edited by a program's own function.
@Suite("LivePhotoEditingContext")
struct LivePhotoEditingContextTests {
    private static let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio(extensions: {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("CropRotate", in: $0)
        })
    }

    private func livePhoto(video: [String] = []) async throws -> String {
        let still = studio.folder.file("a.jpg")
        let motion = studio.folder.file("a.mov")
        try TestLivePhoto.makeStill(still, Self.identifier)
        if video.isEmpty {
            try TestLivePhoto.makeVideo(motion, Self.identifier)
        } else {
            try TestVideo.make(motion, size: "96x72", seconds: 1, video)
        }
        var identifier: String?
        try await studio.host.importPhotos(at: [still, motion], into: studio.library) {
            identifier = $0.assetIdentifier
        }
        return try #require(identifier)
    }

    private func negative(_ image: AssetImage) throws -> AssetImage {
        #expect(image.pixelFormat == .rgb8)
        return try AssetImage(
            Data(image.data.map { 255 - $0 }), size: image.size, pixelFormat: .rgb8,
            profile: image.profile, originalProfile: image.originalProfile)
    }

    private func resource(_ type: AssetResourceType, _ asset: String) throws -> String {
        let asset = try studio.library.asset(withLocalIdentifier: asset)
        let found = try AssetResource.assetResources(for: asset, in: studio.library)
            .first { $0.type == type }
        return studio.blobPath(try #require(found?.blob))
    }

    /// The ratio of each frame to the negative of the original, computed by `ffmpeg`.
    private func ratios(_ edited: String) throws -> [Double] {
        try TestVideo.ratios(
            edited, to: studio.folder.file("a.mov"),
            filter: "lutrgb=r=negval:g=negval:b=negval")
    }

    @Test("K-17 one frame processor changes the still and all frames in one committed edit")
    func saved() async throws {
        let asset = try await livePhoto()
        let input = try await studio.input(asset)
        let context = try #require(LivePhotoEditingContext(livePhotoEditingInput: input))
        #expect(abs(context.duration - 1) < 0.05 && context.orientation == 1)
        let whole = try await context.fullSizeImage
        #expect(whole.size == PixelSize(width: 160, height: 120))
        let frames = Mutex<[LivePhotoFrame]>([])
        context.frameProcessor = { frame in
            frames.withLock { $0.append(frame) }
            return try negative(frame.image)
        }
        // Setting it starts no work.
        #expect(frames.withLock { $0.isEmpty } && context.audioVolume == 1)
        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = try TestStudio.recipe("negative")
        try await context.saveLivePhoto(to: output)
        let seen = frames.withLock { $0 }
        #expect(seen.map(\.type) == [.photo] + Array(repeating: .video, count: 25))
        #expect(seen[0].renderScale == 1 && seen[0].image.data == whole.data)
        #expect(seen.dropFirst().allSatisfy { $0.renderScale == 0.6 && $0.image.width == 96 })
        for (index, frame) in seen.dropFirst().enumerated() {
            #expect(abs(frame.time - Double(index) / 25) < 1e-6)
        }
        let before = try studio.library.currentChangeToken
        _ = try studio.commit(output)
        #expect(try studio.library.fetchPersistentChanges(since: before).count == 1)
        let history = try studio.library.history(ofAsset: asset)
        #expect(history.chain.count == 1 && history.hasMotion)

        let video = try resource(.fullSizePairedVideo, asset)
        let original = studio.folder.file("a.mov")
        #expect(try TestVideo.times(video) == TestVideo.times(original))
        #expect(try TestVideo.sound(video) == TestVideo.sound(original))
        let near = try ratios(video)
        #expect(near.count == 25 && near.allSatisfy { $0 > 30 }, "\(near)")
        let still = try TestPicture(decoding: studio.bytes(history.chain[0].base?.blob))
        let expected = TestPicture(
            width: 160, height: 120, bands: 3, samples: whole.data.map { 255 - $0 })
        #expect(still == expected)
        let shown = try TestPicture(
            decoding: Data(contentsOf: URL(fileURLWithPath: resource(.fullSizePhoto, asset))))
        #expect(try #require(shown.meanDifference(from: expected)) < 12)
        await studio.host.shutDown()
    }

    @Test("a program's edit is undone, redone, edited further and reverted in both parts")
    func history() async throws {
        let asset = try await livePhoto()
        let input = try await studio.input(asset)
        let context = try #require(LivePhotoEditingContext(livePhotoEditingInput: input))
        context.frameProcessor = { try negative($0.image) }
        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = try TestStudio.recipe("negative")
        try await context.saveLivePhoto(to: output)
        _ = try studio.commit(output)
        let first = try resource(.fullSizePairedVideo, asset)
        try await studio.edit(asset, "croprotate", ["turns": "1"])
        let turned = try TestVideo.probe(try resource(.fullSizePairedVideo, asset))
        #expect(turned.width == 72 && turned.height == 96)
        _ = try await studio.host.undo(asset, in: studio.library)
        _ = try studio.host.prune(studio.library, keep: 0)
        #expect(try resource(.fullSizePairedVideo, asset) == first)
        _ = try await studio.host.undo(asset, in: studio.library)
        _ = try studio.host.prune(studio.library, keep: 0)
        // Only the program can render it again, so it was kept.
        _ = try await studio.host.redo(asset, in: studio.library)
        #expect(try ratios(try resource(.fullSizePairedVideo, asset)).allSatisfy { $0 > 30 })
        let redone = try await studio.host.redo(asset, in: studio.library)
        #expect(redone.hasChanged && redone.history.chain.count == 2)
        let stored = try resource(.fullSizePairedVideo, asset)
        for isForced in [false, true] {
            try await studio.host.rerender(
                [asset], in: studio.library, force: isForced, jobs: 1
            ) { #expect($0.status != .failed, "\($0)") }
        }
        #expect(try resource(.fullSizePairedVideo, asset) == stored)
        let report = try studio.library.check()
        #expect(report.findings.isEmpty, "\(report.findings)")

        // The program continues its own edit, whose files cannot be re-rendered.
        _ = try await studio.host.undo(asset, in: studio.library)
        let own = try resource(.fullSizePairedVideo, asset)
        for isForced in [false, true] {
            try await studio.host.rerender(
                [asset], in: studio.library, force: isForced, jobs: 1
            ) { #expect($0.status != .failed, "\($0)") }
        }
        #expect(try resource(.fullSizePairedVideo, asset) == own)
        let again = try await studio.input(asset, canHandle: true)
        #expect(try again.adjustmentData == TestStudio.recipe("negative"))
        let second = try #require(LivePhotoEditingContext(livePhotoEditingInput: again))
        var other = ContentEditingOutput(contentEditingInput: again)
        other.adjustmentData = try TestStudio.recipe("nothing")
        try await second.saveLivePhoto(to: other)
        _ = try studio.commit(other)
        #expect(try studio.library.history(ofAsset: asset).chain.count == 1)
        let plain = try TestVideo.ratios(
            try resource(.fullSizePairedVideo, asset), to: studio.folder.file("a.mov"),
            filter: "null")
        #expect(plain.allSatisfy { $0 > 30 }, "\(plain)")
        await studio.host.shutDown()
    }

    @Test(
        "K-18 nil, an error or a mismatched image aborts the save, and nothing is written")
    func refused() async throws {
        struct Own: Error {}
        let asset = try await livePhoto()
        let input = try await studio.input(asset)
        let context = try #require(LivePhotoEditingContext(livePhotoEditingInput: input))
        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = try TestStudio.recipe("bad")
        let processors: [LivePhotoFrameProcessor] = [
            { _ in nil },
            { frame in frame.type == .photo ? frame.image : nil },
            { frame in
                guard frame.type == .photo else { throw Own() }
                return frame.image
            },
            { frame in
                try AssetImage(
                    Data(repeating: 9, count: 16), size: PixelSize(width: 2, height: 2),
                    pixelFormat: .rgba8)
            },
            { frame in
                guard frame.type == .video, frame.time > 0.5 else { return frame.image }
                return try AssetImage(
                    Data(repeating: 9, count: 12), size: PixelSize(width: 2, height: 2),
                    pixelFormat: .rgb8)
            },
        ]
        for (index, processor) in processors.enumerated() {
            context.frameProcessor = processor
            let error = await #expect(throws: (any Error).self) {
                try await context.saveLivePhoto(to: output)
            }
            if index == 2 {
                #expect(error is Own)
            } else {
                #expect((error as? HostError)?.code == .invalidRenderedContent, "\(index)")
            }
            #expect(throws: HostError.self) { try studio.commit(output) }
        }
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        #expect(throws: HostError.self) {
            try AssetImage(
                Data(count: 3), size: PixelSize(width: 2, height: 1), pixelFormat: .rgb8)
        }
        // The context remains usable.
        context.frameProcessor = nil
        try await context.saveLivePhoto(to: output)
        _ = try studio.commit(output)
        await studio.host.shutDown()
    }

    @Test(
        "audioVolume scales the sound or removes it",
        arguments: [[], ["-c:v", "libx264", "-c:a", "pcm_s16le"]])
    func volume(_ arguments: [String]) async throws {
        let asset = try await livePhoto(video: arguments)
        let input = try await studio.input(asset)
        let context = try #require(LivePhotoEditingContext(livePhotoEditingInput: input))
        context.audioVolume = 0.25
        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = try TestStudio.recipe("quiet")
        try await context.saveLivePhoto(to: output)
        _ = try studio.commit(output)
        let (before, after) = (
            try samples(studio.folder.file("a.mov")),
            try samples(try resource(.fullSizePairedVideo, asset))
        )
        #expect(abs(before.count - after.count) <= 1024 && after.count > 40_000)
        let pairs = zip(before, after).map { abs(Double($0) / 4 - Double($1)) }
        #expect(try #require(pairs.max()) <= 1.5)
        let next = try await studio.input(asset)
        let silent = try #require(LivePhotoEditingContext(livePhotoEditingInput: next))
        silent.audioVolume = 0
        output = ContentEditingOutput(contentEditingInput: next)
        output.adjustmentData = try TestStudio.recipe("silent")
        try await silent.saveLivePhoto(to: output)
        _ = try studio.commit(output)
        let video = try resource(.fullSizePairedVideo, asset)
        #expect(try TestVideo.probe(video).audioCodec == nil)
        context.audioVolume = 7
        #expect(context.audioVolume == 1)
        await studio.host.shutDown()
    }

    /// The sound decoded by `ffmpeg`.
    private func samples(_ path: String) throws -> [Int16] {
        let output = studio.folder.file("sound \(UUID()).raw")
        try TestVideo.run(["-i", path, "-map", "0:a:0", "-f", "s16le", "-ac", "1", output])
        let data = try Data(contentsOf: URL(fileURLWithPath: output))
        return data.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)
            }
        }
    }

    @Test("K-17 photoTime is when the still was taken; playback shows the edit; cancel ends it")
    func playbackOfMotionPhoto() async throws {
        let (path, time) = (studio.folder.file("b.mp4"), 0.08)
        try TestVideo.make(path, size: "96x72", seconds: 1, ["-an", "-frames:v", "5"])
        let photo = try TestLivePhoto.motionPhoto(
            .slope(width: 160, height: 120), video: Data(contentsOf: URL(fileURLWithPath: path)),
            time: 80_000)
        let input = try await studio.input(try await studio.add(photo, named: "b.jpg"))
        let context = try #require(LivePhotoEditingContext(livePhotoEditingInput: input))
        #expect(context.photoTime == time && abs(context.duration - 0.2) < 0.01)
        let frames = Mutex<[LivePhotoFrame]>([])
        context.frameProcessor = { frame in
            frames.withLock { $0.append(frame) }
            return try negative(frame.image)
        }
        let size = PixelSize(width: 80, height: 60)
        let shown = try await context.prepareLivePhotoForPlayback(withTargetSize: size)
        let seen = frames.withLock { $0 }
        #expect(seen.count == 6 && seen.count { $0.type == .photo && $0.time == time } == 1)
        #expect(shown.size == size && shown.video?.size == size)
        let still = TestPicture(shown.image)
        for (x, y) in [(10, 10), (40, 30), (70, 50)] {
            // The inverted slope, whose red increases to the right and green downwards, and whose
            // blue is 128.
            let expected = [
                255 - (Double(x) + 0.5) / 80 * 255, 255 - (Double(y) + 0.5) / 60 * 255, 127,
            ]
            for band in 0..<3 {
                let sample = Double(still.samples[(y * 80 + x) * 3 + band])
                #expect(abs(sample - expected[band]) < 8, "\(x) \(y) \(band): \(sample)")
            }
        }
        context.frameProcessor = { frame in
            if frame.type == .video { context.cancel() }
            return frame.image
        }
        let error = await #expect(throws: HostError.self) {
            try await context.prepareLivePhotoForPlayback(withTargetSize: size)
        }
        #expect(error?.code == .cancelled)
        // The other Live Photos here do not record when their stills were taken.
        let plain = try await studio.input(try await livePhoto())
        let other = try #require(LivePhotoEditingContext(livePhotoEditingInput: plain))
        #expect(other.photoTime == nil)
        #expect(try studio.library.history(ofAsset: input.asset.localIdentifier).chain.isEmpty)
        await studio.host.shutDown()
    }

    @Test("a Live Photo is rendered for playback with the edit and remains unchanged")
    func playback() async throws {
        let asset = try await livePhoto()
        let input = try await studio.input(asset)
        let context = try #require(LivePhotoEditingContext(livePhotoEditingInput: input))
        let scales = Mutex<Set<Double>>([])
        context.frameProcessor = { frame in
            scales.withLock { _ = $0.insert(frame.renderScale) }
            return try negative(frame.image)
        }
        let shown = try await context.prepareLivePhotoForPlayback(
            withTargetSize: PixelSize(width: 80, height: 80))
        #expect(shown.size == PixelSize(width: 80, height: 60))
        #expect(shown.video?.size == PixelSize(width: 80, height: 60))
        #expect(scales.withLock { $0 } == [0.5])
        let copy = studio.folder.file("shown.mov")
        try #require(shown.video).fileHandle().readToEnd().map {
            try $0.write(to: URL(fileURLWithPath: copy))
        }
        #expect(try TestVideo.times(copy).count == 25)
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        await studio.host.shutDown()
    }

    @Test(
        "cancel stops work in flight, and the next call works; other assets have no context"
    )
    func cancelled() async throws {
        let asset = try await livePhoto()
        let input = try await studio.input(asset)
        let context = try #require(LivePhotoEditingContext(livePhotoEditingInput: input))
        context.frameProcessor = { frame in
            if frame.type == .video { context.cancel() }
            return frame.image
        }
        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = try TestStudio.recipe("never")
        let error = await #expect(throws: HostError.self) {
            try await context.saveLivePhoto(to: output)
        }
        #expect(error?.code == .cancelled && error?.assetIdentifier == asset)
        #expect(throws: HostError.self) { try studio.commit(output) }
        context.frameProcessor = nil
        try await context.saveLivePhoto(to: output)
        _ = try studio.commit(output)

        let picture = try await studio.add(.gradient())
        let still = try await studio.input(picture)
        #expect(LivePhotoEditingContext(livePhotoEditingInput: still) == nil)
        #expect(still.audiovisualAsset == nil && still.livePhoto == nil)
        await studio.host.shutDown()
    }
}
