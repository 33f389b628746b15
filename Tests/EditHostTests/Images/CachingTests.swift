// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

@testable import EditHost

/// Pictures that are rendered ahead.
@Suite("prefetching")
struct CachingTests {
    private let size = PixelSize(width: 60, height: 60)

    private func finished(_ manager: ImageManager) async throws {
        try await waitUntil("no request is unfinished") { manager.unfinished == (0, 0) }
    }

    @Test("a prefetched picture is delivered before the call returns, without rendering again")
    func ahead() async throws {
        let studio = try TestStudio()
        var assets: [Asset] = []
        for seed in 0..<5 {
            assets.append(try await studio.imported(.gradient(width: 300, height: 200, seed: seed)))
        }
        let manager = CachingImageManager(host: studio.host, library: studio.library)
        manager.startCachingImages(for: assets, targetSize: size)
        manager.startCachingImages(for: assets, targetSize: size)
        try await waitUntil("five pictures are rendered") { manager.renders >= 5 }
        try await finished(manager)
        #expect(manager.renders == 5)
        for asset in assets {
            let answers = try await studio.answers(manager, asset, size)
            #expect(answers.count == 1 && !answers[0].hadReturned)
        }
        #expect(manager.renders == 5)
        manager.stopCachingImagesForAllAssets()
        #expect(try manager.pictureRenderer().cache.size == 0)
        await studio.host.shutDown()
    }

    @Test("a stopped prefetch renders nothing more, except for pending requests")
    func stopped() async throws {
        let studio = try TestStudio(configure: { $0.runnerLimit = 1 })
        var assets: [Asset] = []
        for seed in 0..<20 {
            assets.append(try await studio.imported(.gradient(width: 900, height: 600, seed: seed)))
        }
        let manager = CachingImageManager(host: studio.host, library: studio.library)
        manager.startCachingImages(for: assets, targetSize: size, options: .exact)
        manager.stopCachingImages(for: assets.dropLast(), targetSize: size, options: .exact)
        let last = try #require(assets.last)
        let image = try await manager.image(for: last, targetSize: size, options: .exact)
        #expect(image.size == PixelSize(width: 60, height: 40))
        try await finished(manager)
        #expect(manager.renders < 20)
        await studio.host.shutDown()
    }

    @Test("scrolling stays within the memory limit and leaves no requests")
    func scrolling() async throws {
        let studio = try TestStudio()
        var assets: [Asset] = []
        for seed in 0..<4 {
            assets.append(try await studio.imported(.gradient(width: 300, height: 200, seed: seed)))
        }
        let manager = studio.manager(memoryLimit: 100_000)
        var window: [ImageRequestID] = []
        for index in 0..<1000 {
            let side = 20 + index / 4 % 250
            window.append(
                manager.requestImage(
                    for: assets[index % 4], targetSize: PixelSize(width: side, height: side)
                ) { _, _ in })
            if window.count > 20 { manager.cancelImageRequest(window.removeFirst()) }
            if index % 50 == 0 { #expect(try manager.pictureRenderer().cache.size <= 100_000) }
        }
        for identifier in window { manager.cancelImageRequest(identifier) }
        try await finished(manager)
        #expect(try manager.pictureRenderer().cache.size <= 100_000)
        await studio.host.shutDown()
    }
}
