// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// Cancellation of image requests, one or many.
@Suite("cancelled image requests")
struct ImageCancellationTests {
    @Test("I-31 a cancelled request is answered once as cancelled, and no work remains")
    func cancelled() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let manager = studio.manager()
        let answers = ImageAnswers()
        let id = manager.requestImage(
            for: asset, targetSize: PixelSize(width: 300, height: 300),
            resultHandler: answers.handler)
        #expect(id != invalidImageRequestID)
        manager.cancelImageRequest(id)
        manager.cancelImageRequest(id)
        let all = try await answers.waitForEnd()
        let last = try #require(all.last)
        #expect(last.info.requestID == id)
        // The request may have been completed before the cancel.
        #expect(last.info.isCancelled != (last.image != nil))
        #expect(last.info.error == nil)
        try await finished(manager)
        manager.cancelImageRequest(id)
        #expect(answers.all.count == all.count)
        await studio.host.shutDown()
    }

    @Test("I-31 a cancelled request for data is answered once, with that, and no work is left")
    func cancelledData() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.gradient())
        try await studio.edit(asset.localIdentifier)
        let history = try studio.library.history(ofAsset: asset.localIdentifier)
        let blob = try #require(history.chain.last?.current?.blob)
        // A lost rendition has to be re-rendered, which no runner does before the cancel.
        try FileManager.default.removeItem(atPath: studio.blobPath(blob))
        studio.stopRunners()
        let manager = studio.manager()
        let answers = Mutex<[(Data?, ImageRequestInfo)]>([])
        let id = manager.requestImageDataAndOrientation(for: asset) { data, _, _, info in
            answers.withLock { $0.append((data, info)) }
        }
        manager.cancelImageRequest(id)
        manager.cancelImageRequest(id)
        try await waitUntil("there is an answer") { answers.withLock { !$0.isEmpty } }
        studio.resumeRunners()
        try await finished(manager)
        manager.cancelImageRequest(id)
        let all = answers.withLock { $0 }
        #expect(all.count == 1 && all[0].1.requestID == id && all[0].1.isCancelled)
        #expect(all[0].0 == nil && all[0].1.error == nil)
        await studio.host.shutDown()
    }

    @Test("a render is cancelled by message, and its runner continues")
    func keepsRunner() async throws {
        let studio = try TestStudio(configure: { $0.runnerLimit = 1 })
        let asset = try await studio.imported(.slope(width: 4000, height: 3000))
        let manager = studio.manager()
        let first = try await studio.host.pool.withRunner { $0.process.pid }
        for width in 100..<110 {
            let task = Task {
                try await manager.image(
                    for: asset, targetSize: PixelSize(width: width * 9, height: 3000),
                    options: .exact)
            }
            try await Task.sleep(for: .milliseconds(width % 10 * 7))
            task.cancel()
            _ = await task.result
        }
        try await finished(manager)
        let image = try await manager.image(
            for: asset, targetSize: PixelSize(width: 200, height: 200), options: .exact)
        #expect(image.size == PixelSize(width: 200, height: 150))
        #expect(try await studio.host.pool.withRunner { $0.process.pid } == first)
        await studio.host.shutDown()
    }

    @Test("a thousand requests cancelled together are each answered once")
    func crowd() async throws {
        let studio = try TestStudio()
        let asset = try await studio.imported(.slope(width: 1200, height: 800))
        let manager = studio.manager()
        let counts = Mutex<[ImageRequestID: Int]>([:])
        let identifiers = (0..<1000).map { number in
            manager.requestImage(
                for: asset, targetSize: PixelSize(width: 100 + number % 500, height: 900)
            ) { _, info in
                if !info.isDegraded { counts.withLock { $0[info.requestID, default: 0] += 1 } }
            }
        }
        for identifier in identifiers { manager.cancelImageRequest(identifier) }
        try await finished(manager)
        try await waitUntil("each request is answered") { counts.withLock { $0.count } >= 1000 }
        #expect(counts.withLock { Set($0.values) } == [1])
        #expect(counts.withLock { Set($0.keys) } == Set(identifiers))
        await studio.host.shutDown()
    }

    @Test("I-20 I-23 I-25 I-31 call counts hold under random requests and cancels")
    func random() async throws {
        try await interleavings(count: 150)
    }

    @Test(
        "I-20 I-23 I-25 I-31 call counts hold under thousands of random cancels", .torture)
    func randomTorture() async throws {
        try await interleavings(count: 5000)
    }

    private func interleavings(count: Int) async throws {
        var generator = SeededGenerator(seed: TestSeed.seed())
        let studio = try TestStudio()
        var assets: [Asset] = []
        for width in [700, 800, 900] {
            assets.append(try await studio.imported(.slope(width: width, height: 500)))
        }
        let manager = studio.manager(memoryLimit: 1 << 20)
        let all = Mutex<[(ImageRequestOptions, ImageAnswers)]>([])
        for _ in 0..<count {
            var options = ImageRequestOptions()
            options.deliveryMode =
                ImageRequestOptionsDeliveryMode(rawValue: Int.random(in: 0...2, using: &generator))
                ?? .opportunistic
            options.isSynchronous = Int.random(in: 0..<10, using: &generator) == 0
            let side = [30, 60, 120, 240, 480].randomElement(using: &generator) ?? 60
            let asset = assets[Int.random(in: 0..<3, using: &generator)]
            let answers = ImageAnswers()
            let id = manager.requestImage(
                for: asset, targetSize: PixelSize(width: side, height: side), options: options,
                resultHandler: answers.handler)
            all.withLock { $0.append((options, answers)) }
            if Int.random(in: 0..<3, using: &generator) == 0 {
                if Bool.random(using: &generator) {
                    try await Task.sleep(
                        for: .milliseconds(Int.random(in: 0...8, using: &generator)))
                }
                manager.cancelImageRequest(id)
            }
        }
        for (options, answers) in all.withLock({ $0 }) {
            let told = try await answers.waitForLast(of: options)
            Self.check(told, options)
        }
        try await finished(manager)
        await studio.host.shutDown()
    }

    private static func check(
        _ answers: [ImageAnswers.Answer], _ options: ImageRequestOptions
    ) {
        let mode = options.isSynchronous ? .highQualityFormat : options.deliveryMode
        let last = answers.last
        #expect(last.map { $0.image != nil || $0.info.isCancelled } == true)
        #expect(answers.allSatisfy { $0.info.error == nil && !$0.info.isInCloud })
        let degraded = answers.map(\.info.isDegraded)
        switch mode {
        case .opportunistic: #expect(degraded == [false] || degraded == [true, false])
        case .highQualityFormat: #expect(degraded == [false])
        case .fastFormat: #expect(degraded.count == 1)
        }
    }

    /// Waits until no request or render is unfinished.
    private func finished(_ manager: ImageManager) async throws {
        try await waitUntil("no request is unfinished") { manager.unfinished == (0, 0) }
    }
}

extension ImageAnswers {
    /// Waits for the last answer in a delivery mode.
    fileprivate func waitForLast(of options: ImageRequestOptions) async throws -> [Answer] {
        let isFast = options.deliveryMode == .fastFormat && !options.isSynchronous
        return isFast ? try await wait() : try await waitForEnd()
    }
}
