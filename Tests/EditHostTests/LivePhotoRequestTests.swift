// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Glibc
import Library
import Synchronization
import TestSupport
import Testing

/// Live Photos as values, from files and from the library.
@Suite("Live Photo requests")
struct LivePhotoRequestTests {
    private static let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
    private static let other = "F08C4D29-CD6A-47D9-9200-02BD19D9F3F2"
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio(extensions: { try TestExtension.assemble("SepiaFilter", in: $0) })
    }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: studio.folder.file(name)) }

    private func makePair() throws -> [URL] {
        try TestLivePhoto.makeStill(studio.folder.file("a.jpg"), Self.identifier)
        try TestLivePhoto.makeVideo(studio.folder.file("a.mov"), Self.identifier)
        return [url("a.jpg"), url("a.mov")]
    }

    /// The answers to a request.
    private final class Answers: Sendable {
        private let answers = Mutex<[(LivePhoto?, ImageRequestInfo)]>([])
        private let callers = Mutex<[pthread_t]>([])
        var all: [(photo: LivePhoto?, info: ImageRequestInfo)] { answers.withLock { $0 } }
        /// The thread of each call.
        var threads: [pthread_t] { callers.withLock { $0 } }
        func add(_ photo: LivePhoto?, _ info: ImageRequestInfo) {
            callers.withLock { $0.append(pthread_self()) }
            answers.withLock { $0.append((photo, info)) }
        }
        func waitForEnd() async throws {
            try await waitUntil("the last answer is there") { all.last?.info.isDegraded == false }
        }
    }

    private func load(
        _ urls: [URL], placeholder: AssetImage? = nil,
        _ size: PixelSize = PixelSize(width: 0, height: 0), _ mode: ImageContentMode = .aspectFit
    ) async throws -> Answers {
        let answers = Answers()
        let identifier = LivePhoto.request(
            withResourceFileURLs: urls, placeholderImage: placeholder, targetSize: size,
            contentMode: mode, host: studio.host
        ) { answers.add($0, $1) }
        #expect(identifier != .invalid)
        try await answers.waitForEnd()
        #expect(answers.all.allSatisfy { $0.info.requestID == identifier })
        return answers
    }

    private func importPair() async throws -> Asset {
        var identifier: String?
        try await studio.host.importPhotos(
            at: try makePair().map(\.path), into: studio.library
        ) { identifier = $0.assetIdentifier }
        return try studio.asset(try #require(identifier))
    }

    @Test("L-01 L-03 L-04 L-05 still and video load in any order with the size of the still")
    func order() async throws {
        let urls = try makePair()
        for files in [urls, urls.reversed()] {
            let answers = try await load(files).all
            #expect(answers.count == 1)
            let photo = try #require(answers.first?.photo)
            #expect(photo.size == PixelSize(width: 160, height: 120))
            #expect(photo.image.size == photo.size)
            let video = try #require(photo.video)
            #expect(video.size == PixelSize(width: 96, height: 72))
            #expect(abs(photo.duration - 1) < 0.1)
            #expect(try video.fileHandle().readToEnd() == Data(contentsOf: urls[1]))
        }
        await studio.host.shutDown()
    }

    /// Makes a request and measures the duration of the call.
    private func timed(_ urls: [URL], _ answers: Answers) -> (thread: pthread_t, time: Duration) {
        let time = ContinuousClock().measure {
            _ = LivePhoto.request(withResourceFileURLs: urls, host: studio.host) {
                answers.add($0, $1)
            }
        }
        return (pthread_self(), time)
    }

    @Test("L-04 a request returns at once, before its only call, and loads on another thread")
    func returnsAtOnce() async throws {
        let urls = try makePair()
        // This starts the runners, which then do nothing before the next request has returned.
        _ = try await load(urls)
        studio.stopRunners()
        let (answers, others) = (Answers(), Answers())
        // Uses a thread of its own, because a thread of the pool could both call and answer. It lives until the answer,
        // so that no other thread reuses its identifier.
        let answered = DispatchSemaphore(value: 0)
        defer { answered.signal() }
        let call = await withCheckedContinuation {
            (continuation: CheckedContinuation<(thread: pthread_t, time: Duration), Never>) in
            Thread {
                continuation.resume(returning: timed(urls, answers))
                answered.wait()
            }.start()
        }
        #expect(answers.all.isEmpty)
        // The fastest of several, because another process may preempt any of them.
        let times = [call.time] + (0..<2).map { _ in timed(urls, others).time }
        studio.resumeRunners()
        try await answers.waitForEnd()
        #expect(try #require(times.min()) < .milliseconds(50), "\(times)")
        #expect(answers.all.count == 1 && answers.all[0].photo?.video != nil)
        #expect(!answers.threads.contains(call.thread))
        try await waitUntil("the others are answered") { others.all.count == 2 }
        await studio.host.shutDown()
    }

    @Test(
        "L-07 L-08 zero means the original size; otherwise fit or fill, never enlarged",
        arguments: [
            (PixelSize(width: 0, height: 0), ImageContentMode.aspectFit, [160, 120]),
            (PixelSize(width: 80, height: 80), .aspectFit, [80, 60]),
            (PixelSize(width: 60, height: 60), .aspectFill, [80, 60]),
            (PixelSize(width: 900, height: 900), .aspectFill, [160, 120]),
        ])
    func sizes(box: PixelSize, mode: ImageContentMode, expected: [Int]) async throws {
        let photo = try await load(try makePair(), box, mode).all.last?.photo
        #expect(photo?.size == PixelSize(width: expected[0], height: expected[1]))
        await studio.host.shutDown()
    }

    @Test(
        "L-06 L-10 L-11 L-14 a placeholder makes the first of two calls, degraded"
    )
    func placeholder() async throws {
        let asset = try await importPair()
        let manager = studio.manager()
        let image = try await manager.image(
            for: asset, targetSize: PixelSize(width: 20, height: 20))
        let urls = [url("a.jpg"), url("a.mov")]
        let two = try await load(urls, placeholder: image).all
        #expect(two.map(\.info.isDegraded) == [true, false])
        #expect(two[0].photo?.image.data == image.data && two[0].photo?.video == nil)
        #expect(two[0].photo?.size == image.size)
        #expect(two[1].photo?.video != nil && two[1].photo?.size.width == 160)
        let one = try await load(urls).all
        #expect(one.map(\.info.isDegraded) == [false])
        await studio.host.shutDown()
    }

    @Test("L-09 L-12 L-13 mismatched files give nil and an error that names the file")
    func failures() async throws {
        let urls = try makePair()
        try TestLivePhoto.makeVideo(studio.folder.file("other.mov"), Self.other)
        try TestLivePhoto.makeVideo(studio.folder.file("none.mov"), nil)
        let bytes = try Data(contentsOf: urls[1])
        try bytes.prefix(bytes.count / 3).write(to: url("broken.mov"))
        try Data(contentsOf: urls[0]).prefix(900).write(to: url("broken.jpg"))
        try Data("words".utf8).write(to: url("words.txt"))
        let image = try await studio.manager().image(
            for: studio.imported(.slope(width: 30, height: 20)),
            targetSize: PixelSize(width: 20, height: 20))
        let cases: [([URL], String)] = [
            ([urls[0], url("other.mov")], "content identifiers"),
            ([urls[0], url("none.mov")], "missing"),
            ([urls[0], url("broken.mov")], "broken.mov"),
            ([url("broken.jpg"), urls[1]], "broken.jpg"),
            ([urls[0]], "one picture and one video"),
            ([urls[1]], "one picture and one video"),
            ([urls[0], urls[0]], "one picture and one video"),
            ([urls[0], url("words.txt")], "one picture and one video"),
            ([urls[0], url("away.mov")], "away.mov"),
            ([urls[0], URL(fileURLWithPath: studio.folder.path)], "not a regular file"),
            ([], "one picture and one video"),
        ]
        for (files, words) in cases {
            let answers = try await load(files, placeholder: image).all
            #expect(answers.count == 2 && answers[0].info.isDegraded, "\(words)")
            #expect(answers.last?.photo == nil && answers.last?.info.isCancelled == false)
            let error = try #require(answers.last?.info.error)
            #expect("\(error)".contains(words), "\(error)")
        }
        await studio.host.shutDown()
    }

    @Test(
        "L-15 L-16 a cancelled request ends as cancelled; a repeated or late cancel is harmless")
    func cancelled() async throws {
        let urls = try makePair()
        let answers = Answers()
        let identifier = LivePhoto.request(withResourceFileURLs: urls, host: studio.host) {
            answers.add($0, $1)
        }
        LivePhoto.cancelRequest(withRequestID: identifier)
        LivePhoto.cancelRequest(withRequestID: identifier)
        try await answers.waitForEnd()
        #expect(answers.all.count == 1 && answers.all[0].info.isCancelled)
        #expect(answers.all[0].photo == nil && answers.all[0].info.error == nil)
        LivePhoto.cancelRequest(withRequestID: identifier)
        LivePhoto.cancelRequest(withRequestID: .invalid)
        #expect(answers.all.count == 1)
        await studio.host.shutDown()
    }

    @Test("L-11 L-16 a cancel after the degraded call is answered once, and then there is silence")
    func degradedThenCancelled() async throws {
        let urls = try makePair()
        _ = try await load(urls)
        let image = try AssetImage(
            Data(repeating: 9, count: 12), size: PixelSize(width: 2, height: 2), pixelFormat: .rgb8)
        studio.stopRunners()
        let answers = Answers()
        let identifier = LivePhoto.request(
            withResourceFileURLs: urls, placeholderImage: image, host: studio.host
        ) { answers.add($0, $1) }
        #expect(answers.all.map(\.info.isDegraded) == [true])
        LivePhoto.cancelRequest(withRequestID: identifier)
        try await answers.waitForEnd()
        studio.resumeRunners()
        // Loading another one gives the runners time for a late answer.
        _ = try await load(urls)
        try await Task.sleep(for: .milliseconds(50))
        let all = answers.all
        #expect(all.map(\.info.isDegraded) == [true, false])
        #expect(all[1].photo == nil && all[1].info.isCancelled && all[1].info.error == nil)
        await studio.host.shutDown()
    }

    @Test("I-31 a cancelled request for a Live Photo of the library is answered once, with that")
    func cancelledOfLibrary() async throws {
        let asset = try await importPair()
        let manager = studio.manager()
        studio.stopRunners()
        let answers = Answers()
        let identifier = manager.requestLivePhoto(
            for: asset, targetSize: PixelSize(width: 80, height: 80)
        ) { answers.add($0, $1) }
        manager.cancelImageRequest(identifier)
        manager.cancelImageRequest(identifier)
        try await answers.waitForEnd()
        studio.resumeRunners()
        try await waitUntil("no request is unfinished") { manager.unfinished == (0, 0) }
        manager.cancelImageRequest(identifier)
        #expect(answers.all.count == 1 && answers.all[0].info.requestID == identifier)
        #expect(answers.all[0].photo == nil && answers.all[0].info.isCancelled)
        #expect(answers.all[0].info.error == nil)
        await studio.host.shutDown()
    }

    /// An input with a display image.
    private func input(_ identifier: String) async throws -> ContentEditingInput {
        try await studio.host.requestContentEditingInput(
            for: studio.asset(identifier), in: studio.library)
    }

    @Test("an application's input has the Live Photo of the state that it starts from")
    func input() async throws {
        let asset = try await importPair()
        let input = try await self.input(asset.localIdentifier)
        let photo = try #require(input.livePhoto)
        #expect(photo.size == PixelSize(width: 160, height: 120))
        #expect(
            try photo.video?.fileHandle().readToEnd() == Data(contentsOf: url("a.mov")))
        try await studio.edit(asset.localIdentifier, "sepia")
        let edited = try await self.input(asset.localIdentifier)
        #expect(
            try edited.livePhoto?.video?.fileHandle().readToEnd()
                != Data(contentsOf: url("a.mov")))
        let plain = try await studio.add(.slope(width: 30, height: 20))
        #expect(try await self.input(plain).livePhoto == nil)
        await studio.host.shutDown()
    }

    @Test("requestLivePhoto gives both versions, and an error for other assets")
    func ofLibrary() async throws {
        let asset = try await importPair()
        try await studio.edit(asset.localIdentifier, "sepia")
        let edited = try studio.asset(asset.localIdentifier)
        let manager = studio.manager()
        for version in [ImageRequestOptionsVersion.current, .original] {
            var options = LivePhotoRequestOptions()
            options.version = version
            // The original is local.
            options.progressHandler = { _, _, _, _ in Issue.record("progress of a download") }
            let answers = Answers()
            manager.requestLivePhoto(
                for: edited, targetSize: PixelSize(width: 80, height: 80), options: options
            ) { answers.add($0, $1) }
            try await answers.waitForEnd()
            let last = try #require(answers.all.last)
            #expect(answers.all.dropLast().allSatisfy { $0.photo?.video == nil })
            #expect(last.photo?.size == PixelSize(width: 80, height: 60))
            let bytes = try last.photo?.video?.fileHandle().readToEnd()
            #expect(try (bytes == Data(contentsOf: url("a.mov"))) == (version == .original))
            let resources = AssetResource.assetResources(for: try #require(last.photo))
            let types: [AssetResourceType] =
                version == .original
                ? [.photo, .pairedVideo] : [.fullSizePhoto, .fullSizePairedVideo]
            #expect(resources.map(\.type) == types && resources.allSatisfy { $0.blob != nil })
        }
        let plain = try await studio.imported(.slope(width: 30, height: 20))
        let error = await #expect(throws: HostError.self) {
            _ = try await manager.livePhoto(
                for: plain, targetSize: PixelSize(width: 10, height: 10))
        }
        #expect(error?.code == .unsupportedMediaType)
        await studio.host.shutDown()
    }

    @Test("frames of a Live Photo's video are read by time")
    func frames() async throws {
        let asset = try await importPair()
        let live = try await studio.manager().livePhoto(
            for: asset, targetSize: PixelSize(width: 80, height: 80))
        let video = try #require(live.video)
        let frames = try TestVideo.frames(url("a.mov").path)
        for (time, number) in [(0.0, 0), (-5, 0), (0.5, 12), (0.99, 24), (1e9, 24)] {
            let image = try await video.image(at: time, host: studio.host)
            #expect(image.size == video.size && image.pixelFormat == .rgb8)
            let pixels = Array(image.data)
            let ratios = frames.map { TestVideo.ratio(pixels, $0) }
            #expect(ratios.firstIndex(of: try #require(ratios.max())) == number, "\(time)")
        }
        let small = try await video.image(
            at: 0.5, targetSize: PixelSize(width: 48, height: 48), host: studio.host)
        #expect(small.width == 48 && small.height == 36)
        await #expect(throws: HostError.self) {
            try await video.image(at: .nan, host: studio.host)
        }
        await studio.host.shutDown()
    }

    @Test("L-17 L-18 exported files form a Live Photo, also in another library")
    func roundTrip() async throws {
        let asset = try await importPair()
        try await studio.edit(asset.localIdentifier, "sepia")
        let resources = try AssetResource.assetResources(for: asset, in: studio.library)
        let manager = AssetResourceManager(host: studio.host, library: studio.library)
        // The current version, as an application downloads it.
        var urls: [URL] = []
        for (type, name) in [
            (AssetResourceType.fullSizePhoto, "x.jpg"), (.fullSizePairedVideo, "x.mov"),
        ] {
            let resource = try #require(resources.first { $0.type == type })
            try await manager.writeData(for: resource, toFile: studio.folder.file(name))
            urls.append(url(name))
        }
        let photo = try #require(try await load(urls).all.last?.photo)
        #expect(photo.video != nil)
        let library = try PhotoLibrary.create(at: studio.folder.file("Other.editlibrary"))
        studio.host.attach(to: library)
        let made = Mutex<String?>(nil)
        let paths = urls.map(\.path)
        let facts = try await studio.host.photoFacts(ofFileAt: paths[0])
        try await library.performChanges {
            let request = try AssetCreationRequest(mediaType: .image)
            try request.addResource(.photo, path: paths[0], facts: facts)
            try request.addResource(.pairedVideo, path: paths[1])
            made.withLock { $0 = request.placeholderForCreatedAsset.localIdentifier }
        }
        let copy = try library.asset(
            withLocalIdentifier: try #require(made.withLock { $0 }))
        #expect(copy.mediaSubtypes.contains(.photoLive))
        let copies = try AssetResource.assetResources(for: copy, in: library)
        for (type, url) in zip([AssetResourceType.photo, .pairedVideo], urls) {
            let file = try library.openBlob(
                copies.first { $0.type == type }.flatMap(\.blob).unwrapped())
            #expect(try file.read(count: file.byteCount()) == Data(contentsOf: url), "\(type)")
        }
        let again = try await ImageManager(host: studio.host, library: library).livePhoto(
            for: copy, targetSize: ImageManager.maximumSize)
        #expect(again.size == photo.size && abs(again.duration - photo.duration) < 0.01)
        await studio.host.shutDown()
    }
}
