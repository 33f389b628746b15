// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Glibc
import Library
import Synchronization
import TestSupport
import Testing
import Vips

/// The calls of an image request's handler: their time, number and content.
@Suite("image delivery")
struct ImageDeliveryTests {
    private let small = PixelSize(width: 40, height: 40)
    private let large = PixelSize(width: 400, height: 400)

    @Test(
        "I-03 I-20 I-21 a smaller cached picture comes before the call returns, the final one later"
    )
    func beforeAndAfter() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let manager = studio.manager()
        _ = try await manager.image(for: asset, targetSize: small)
        let answers = try await answersOfStoppedRunners(studio, manager, asset)
        #expect(answers.count == 2)
        let first = try #require(answers.first)
        #expect(!first.hadReturned && first.info.isDegraded)
        #expect(try #require(first.image).width < 400)
        let last = try #require(answers.last)
        #expect(last.hadReturned)
        #expect(!last.info.isDegraded && last.info.error == nil && !last.info.isCancelled)
        #expect(try #require(last.image).width >= 400)
        #expect(first.info.requestID == last.info.requestID)
        await studio.host.shutDown()
    }

    @Test("I-03 an uncached asynchronous request returns at once, before its only call")
    func uncached() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let manager = studio.manager()
        let answers = try await answersOfStoppedRunners(studio, manager, asset)
        #expect(answers.count == 1 && answers[0].hadReturned && !answers[0].info.isDegraded)
        #expect(try #require(answers[0].image).width >= 400)
        // The fastest of several, because another process may preempt any of them.
        let durations = (0..<10).map { number in
            ContinuousClock().measure {
                _ = manager.requestImage(
                    for: asset, targetSize: PixelSize(width: 500 + number, height: 500)
                ) { _, _ in }
            }
        }
        #expect(try #require(durations.min()) < .milliseconds(50), "\(durations)")
        try await waitUntil("no request is unfinished") { manager.unfinished == (0, 0) }
        await studio.host.shutDown()
    }

    @Test(
        "I-03 I-22 a picture cached at the size arrives once, final, before the call returns")
    func inMemory() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let manager = studio.manager()
        _ = try await studio.answers(manager, asset, large)
        let begun = manager.renders
        let again = try await studio.answers(manager, asset, large)
        #expect(again.count == 1 && !again[0].hadReturned && !again[0].info.isDegraded)
        #expect(manager.renders == begun)
        #expect(manager.unfinished.requests == 0)
        await studio.host.shutDown()
    }

    @Test("I-20 I-15 with nothing cached, only the final picture arrives, not degraded")
    func nothingAtHand() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let answers = try await studio.answers(studio.manager(), asset, large)
        #expect(answers.map(\.info.isDegraded) == [false])
        await studio.host.shutDown()
    }

    @Test("I-23 high quality makes exactly one call, never degraded, whatever is cached")
    func highQuality() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let manager = studio.manager()
        _ = try await manager.image(for: asset, targetSize: small)
        let options = ImageRequestOptions.with { $0.deliveryMode = .highQualityFormat }
        let answers = try await studio.answers(manager, asset, large, .aspectFit, options)
        #expect(answers.map(\.info.isDegraded) == [false])
        #expect(try #require(answers[0].image).width >= 400)
        await studio.host.shutDown()
    }

    @Test("I-23 I-24 the best picture never comes from the compressed cache")
    func neverCompressed() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.gradient(width: 300, height: 200))
        try await studio.edit(asset.localIdentifier)
        let exact = ImageRequestOptions.with { $0.resizeMode = .exact }
        let size = PixelSize(width: 100, height: 100)
        let best = try await studio.manager().image(
            for: asset, targetSize: size, options: .exact)
        let manager = studio.manager()
        let kept = try await manager.image(for: asset, targetSize: size, options: exact)
        // JPEG is lossy; with equal pixels this test would prove nothing.
        #expect(kept.data != best.data)
        #expect(
            try await manager.image(for: asset, targetSize: size, options: .exact).data == best.data
        )
        // The better picture replaces it.
        #expect(
            try await manager.image(for: asset, targetSize: size, options: exact).data == best.data)
        await studio.host.shutDown()
    }

    @Test("I-25 fast makes one call, degraded if smaller than requested")
    func fastFormat() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let manager = studio.manager()
        let options = ImageRequestOptions.with { $0.deliveryMode = .fastFormat }
        // Nothing is cached, so the picture has to be rendered.
        let rendered = try await studio.answers(manager, asset, small, .aspectFit, options)
        #expect(rendered.map(\.info.isDegraded) == [false])
        let answers = ImageAnswers()
        manager.requestImage(
            for: asset, targetSize: large, options: options, resultHandler: answers.handler)
        let quick = try await answers.wait()
        #expect(quick.count == 1 && quick[0].info.isDegraded)
        #expect(try #require(quick[0].image).width < 400)
        try await Task.sleep(for: .milliseconds(50))
        #expect(answers.all.count == 1)
        await studio.host.shutDown()
    }

    @Test(
        "I-04 I-24 I-26 synchronous makes one best-quality call before it returns, in every mode"
    )
    func synchronous() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let manager = studio.manager()
        _ = try await manager.image(for: asset, targetSize: small)
        for mode in [
            ImageRequestOptionsDeliveryMode.opportunistic, .fastFormat, .highQualityFormat,
        ] {
            let answers = ImageAnswers()
            let options = ImageRequestOptions.with {
                $0.isSynchronous = true
                $0.deliveryMode = mode
                $0.resizeMode = .exact
            }
            manager.requestImage(
                for: asset, targetSize: large, options: options, resultHandler: answers.handler)
            answers.markReturned()
            let all = answers.all
            #expect(all.count == 1 && !all[0].hadReturned && !all[0].info.isDegraded)
            #expect(all.first?.image?.size == PixelSize(width: 400, height: 267))
        }
        await studio.host.shutDown()
    }

    @Test(
        "I-04 synchronous makes one call if the picture is broken or its original missing")
    func synchronousFailures() async throws {
        let studio = try TestStudio()
        let options = ImageRequestOptions.with { $0.isSynchronous = true }
        let broken = try await studio.imported(.gradient())
        let blob = try #require(
            try studio.library.history(ofAsset: broken.localIdentifier).original?.blob)
        let path = studio.blobPath(blob)
        chmod(path, 0o644)
        try Data("no picture".utf8).write(to: URL(fileURLWithPath: path))
        let answers = ImageAnswers()
        studio.manager().requestImage(
            for: broken, targetSize: small, options: options, resultHandler: answers.handler)
        #expect(answers.all.count == 1 && answers.all[0].image == nil)
        #expect(answers.all[0].info.error != nil && !answers.all[0].info.isInCloud)

        let away = try await referenced(studio)
        try FileManager.default.removeItem(atPath: studio.folder.file("away.png"))
        let others = ImageAnswers()
        studio.manager().requestImage(
            for: away, targetSize: small, options: options, resultHandler: others.handler)
        #expect(others.all.count == 1 && others.all[0].image == nil)
        #expect(others.all[0].info.isInCloud)
        await studio.host.shutDown()
    }

    @Test(
        "I-11 I-33 a missing original gives no picture, isInCloud and no progress"
    )
    func away() async throws {
        let studio = try TestStudio()
        let asset = try await referenced(studio)
        try FileManager.default.removeItem(atPath: studio.folder.file("away.png"))
        let calls = Mutex(0)
        for isAllowed in [false, true] {
            let options = ImageRequestOptions.with {
                $0.isNetworkAccessAllowed = isAllowed
                $0.progressHandler = { _, _, _, _ in calls.withLock { $0 += 1 } }
            }
            let answers = try await studio.answers(
                studio.manager(), asset, small, .aspectFit, options)
            #expect(answers.count == 1 && answers[0].image == nil)
            #expect(answers[0].info.isInCloud && !answers[0].info.isDegraded)
            #expect((answers[0].info.error as? LibraryError)?.code == .originalMissing)
        }
        #expect(calls.withLock { $0 } == 0)
        await studio.host.shutDown()
    }

    @Test("I-14 the progress handler takes progress, error, stop flag and request info")
    func progressHandler() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.gradient())
        let told = Mutex<[Double]>([])
        let options = ImageRequestOptions.with {
            $0.progressHandler = { progress, error, stop, info in
                told.withLock { $0.append(progress) }
                stop = progress > 0.5 || error != nil || info.isDegraded
            }
        }
        // The handler, which could stop the request, is not called for a local original.
        let answers = try await studio.answers(
            studio.manager(), asset, small, .aspectFit, options)
        #expect(answers.last?.image != nil)
        #expect(told.withLock { $0 } == [])
        let handler = try #require(options.progressHandler)
        var info = try #require(answers.last).info
        for (progress, error, isDegraded) in [
            (0.25, nil, false), (0.75, nil, false), (0.25, CancellationError(), false),
            (0.25, nil, true),
        ] as [(Double, (any Error)?, Bool)] {
            var stop = false
            info.isDegraded = isDegraded
            handler(progress, error, &stop, info)
            #expect(stop == (progress > 0.5 || error != nil || isDegraded))
        }
        #expect(told.withLock { $0 } == [0.25, 0.75, 0.25, 0.25])
        await studio.host.shutDown()
    }

    @Test("I-12 the progress handler is called for no request of a local original")
    func noProgress() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient(width: 300, height: 200)
        let asset = try await studio.imported(picture)
        try await studio.edit(asset.localIdentifier)
        let calls = Mutex(0)
        for version in [ImageRequestOptionsVersion.current, .unadjusted, .original] {
            for mode in [
                ImageRequestOptionsDeliveryMode.opportunistic, .fastFormat, .highQualityFormat,
            ] {
                let options = ImageRequestOptions.with {
                    ($0.version, $0.deliveryMode, $0.isNetworkAccessAllowed) = (version, mode, true)
                    $0.progressHandler = { _, _, stop, _ in
                        stop = true
                        calls.withLock { $0 += 1 }
                    }
                }
                let image = try await studio.manager(memoryLimit: 0).image(
                    for: asset, targetSize: small, options: options)
                #expect(image.width >= 40)
                let file = try await studio.manager().imageDataAndOrientation(
                    for: asset, options: options)
                #expect(try (file.data == picture.encoded()) == (version != .current))
            }
        }
        #expect(calls.withLock { $0 } == 0)
        await studio.host.shutDown()
    }

    @Test(
        "A-04 a missing original is shown from the cache; cached pictures are not re-rendered")
    func cached() async throws {
        let studio = try TestStudio()
        let asset = try await referenced(studio)
        let size = PixelSize(width: 128, height: 128)
        let first = try await studio.manager().encodedImage(for: asset, targetSize: size)
        try FileManager.default.removeItem(atPath: studio.folder.file("away.png"))
        let other = studio.manager()
        let second = try await other.encodedImage(for: asset, targetSize: size)
        #expect(second.data == first.data && second.size == first.size && second.format == .jpeg)
        #expect(other.renders == 0)
        let answers = try await studio.answers(other, asset, size)
        #expect(answers.last?.image?.size == first.size && answers.last?.info.error == nil)
        // The original of the larger one is missing, so the small one is delivered instead.
        let large = try await studio.answers(other, asset, PixelSize(width: 500, height: 500))
        #expect(large.map(\.info.isDegraded) == [true, false])
        #expect(large.first?.image != nil && large.last?.info.isInCloud == true)
        await studio.host.shutDown()
    }

    @Test("a handler may make another request and cancel its own")
    func reentrant() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let manager = studio.manager()
        let answers = ImageAnswers()
        manager.requestImage(for: asset, targetSize: large) { image, info in
            manager.requestImage(
                for: asset, targetSize: PixelSize(width: 50, height: 50),
                resultHandler: answers.handler)
            manager.cancelImageRequest(info.requestID)
        }
        #expect(try await answers.waitForEnd().last?.image != nil)

        // A degraded picture is cached now, and its handler cancels the request.
        let calls = ImageAnswers()
        manager.requestImage(for: asset, targetSize: PixelSize(width: 700, height: 700)) {
            image, info in
            calls.handler(image, info)
            if info.isDegraded { manager.cancelImageRequest(info.requestID) }
        }
        let all = try await calls.waitForEnd()
        #expect(all.map(\.info.isDegraded) == [true, false] && all[1].info.isCancelled)
        await studio.host.shutDown()
    }

    @Test("the async sequence delivers what the handler gets, and ends")
    func sequence() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let manager = studio.manager()
        _ = try await manager.image(for: asset, targetSize: small)
        var degraded: [Bool] = []
        for try await result in manager.images(for: asset, targetSize: large) {
            degraded.append(result.info.isDegraded)
        }
        #expect(degraded == [true, false])
        // A loop that is left early leaves no request unfinished.
        for try await _ in manager.images(
            for: asset, targetSize: PixelSize(width: 999, height: 999))
        {
            break
        }
        try await waitUntil("no request is unfinished") { manager.unfinished == (0, 0) }
        await studio.host.shutDown()
    }

    /// Requests the large picture while no runner can answer before the call has returned.
    private func answersOfStoppedRunners(
        _ studio: TestStudio, _ manager: ImageManager, _ asset: Asset
    ) async throws -> [ImageAnswers.Answer] {
        studio.stopRunners()
        let answers = ImageAnswers()
        manager.requestImage(for: asset, targetSize: large, resultHandler: answers.handler)
        answers.markReturned()
        studio.resumeRunners()
        return try await answers.waitForEnd()
    }

    /// Imports a photo by reference.
    private func referenced(_ studio: TestStudio) async throws -> Asset {
        let path = try studio.folder.write(
            TestPicture.slope(width: 600, height: 400).encoded(), to: "away.png")
        var identifier: String?
        try await studio.host.importPhotos(at: [path], into: studio.library, by: .reference) {
            identifier = $0.assetIdentifier
        }
        return try studio.asset(identifier.unwrapped())
    }
}
