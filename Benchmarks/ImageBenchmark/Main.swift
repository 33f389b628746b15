// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization

/// Measures pictures for viewing through the public API. `images.py` runs it.
///
///     ImageBenchmark PROGRAM LIBRARY
///
/// With two files it measures requests for a Live Photo. `videos.py` runs it.
///
///     ImageBenchmark PROGRAM STILL VIDEO
///
/// Each measurement is a line: a name and a number.
@main
struct ImageBenchmark {
    struct WrongUsage: Error {}

    private static let size = PixelSize(width: 256, height: 256)
    private static let exact: ImageRequestOptions = {
        var options = ImageRequestOptions()
        options.resizeMode = .exact
        return options
    }()

    static func main() async throws {
        let words = CommandLine.arguments
        guard [3, 4].contains(words.count) else { throw WrongUsage() }
        var configuration = HostConfiguration.standard(
            executable: words[1], environment: ProcessInfo.processInfo.environment)
        configuration = configuration.batch(jobs: configuration.runnerLimit)
        let host = ExtensionHost(configuration)
        if words.count == 4 {
            try await livePhotos(Array(words[2...]), host)
            return await host.shutDown()
        }
        let library = try PhotoLibrary.open(at: words[2])
        let assets = Array(try Asset.fetchAssets(in: library))
        guard !assets.isEmpty else { throw WrongUsage() }
        try await warm(assets, host, library)
        try await degraded(assets, host, library)
        try await scroll(assets, host, library)
        await host.shutDown()
        try library.close()
    }

    /// Results per second from the cache: files, pixels, and pixels in memory.
    private static func warm(
        _ assets: [Asset], _ host: ExtensionHost, _ library: PhotoLibrary
    ) async throws {
        let manager = ImageManager(host: host, library: library)
        for asset in assets {
            _ = try await manager.encodedImage(for: asset, targetSize: size, options: exact)
        }
        try await rate("encoded", rounds: 20, assets) { asset in
            _ = try await manager.encodedImage(for: asset, targetSize: size, options: exact)
        }
        let others = ImageManager(host: host, library: library, memoryLimit: 0)
        // Excludes the time to start runners.
        for asset in assets.prefix(20) {
            _ = try await others.image(for: asset, targetSize: size, options: exact)
        }
        try await rate("drawn", rounds: 10, assets) { asset in
            _ = try await others.image(for: asset, targetSize: size, options: exact)
        }
        let few = Array(assets.prefix(100))
        for asset in few {
            _ = try await manager.image(for: asset, targetSize: size, options: exact)
        }
        try await rate("memory", rounds: 100, few) { asset in
            _ = try await manager.image(for: asset, targetSize: size, options: exact)
        }
    }

    private static func rate(
        _ name: String, rounds: Int, _ assets: [Asset],
        _ body: @escaping @Sendable (Asset) async throws -> Void
    ) async throws {
        let start = ContinuousClock.now
        let workers = ProcessInfo.processInfo.activeProcessorCount
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    for _ in 0..<rounds {
                        for index in stride(from: worker, to: assets.count, by: workers) {
                            try await body(assets[index])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        report(name, Double(rounds * assets.count) / ((ContinuousClock.now - start) / .seconds(1)))
    }

    /// Milliseconds to the first picture of a size that was never rendered, for files with thumbnails.
    private static func degraded(
        _ assets: [Asset], _ host: ExtensionHost, _ library: PhotoLibrary
    ) async throws {
        let named = assets.filter { $0.originalFilename.hasPrefix("thumbnail") }
        guard !named.isEmpty else { return }
        try? FileManager.default.removeItem(atPath: "\(library.path)/cache/thumbnails")
        let manager = ImageManager(host: host, library: library)
        var times: [Double] = []
        for asset in named {
            let start = ContinuousClock.now
            for try await result in manager.images(
                for: asset, targetSize: PixelSize(width: 1200, height: 1200))
            {
                if result.info.isDegraded {
                    times.append((ContinuousClock.now - start) / .milliseconds(1))
                }
            }
        }
        report("degraded", times.sorted()[times.count / 2])
    }

    /// Milliseconds to the first result of a request for a Live Photo, which is a placeholder, and to the last one, at
    /// screen size with running runners.
    private static func livePhotos(_ paths: [String], _ host: ExtensionHost) async throws {
        let files = paths.map { URL(fileURLWithPath: $0) }
        let size = PixelSize(width: 1024, height: 1024)
        let placeholder = try await LivePhoto.load(files, targetSize: size, host: host).image
        var (first, last): ([Double], [Double]) = ([], [])
        for _ in 0..<21 {
            let start = ContinuousClock.now
            let times: [Double] = await withCheckedContinuation { continuation in
                let seen = Mutex<[Double]>([])
                LivePhoto.request(
                    withResourceFileURLs: files, placeholderImage: placeholder, targetSize: size,
                    host: host
                ) { _, info in
                    let all = seen.withLock { seen in
                        seen.append((ContinuousClock.now - start) / .milliseconds(1))
                        return seen
                    }
                    if !info.isDegraded { continuation.resume(returning: all) }
                }
            }
            first.append(times[0])
            last.append(times[times.count - 1])
        }
        report("live-first", first.sorted()[first.count / 2])
        report("live-whole", last.sorted()[last.count / 2])
    }

    /// Scrolls through 10,000 pictures with thirty concurrent requests, and reports the ratio of the process's memory
    /// at the end to that at half of the way.
    private static func scroll(
        _ assets: [Asset], _ host: ExtensionHost, _ library: PhotoLibrary
    ) async throws {
        let manager = ImageManager(host: host, library: library, memoryLimit: 16 << 20)
        let answered = Mutex(0)
        var window: [ImageRequestID] = []
        var early = 0.0
        let start = ContinuousClock.now
        for index in 0..<10_000 {
            let side = 200 + index / assets.count
            window.append(
                manager.requestImage(
                    for: assets[index % assets.count],
                    targetSize: PixelSize(width: side, height: side)
                ) { _, info in
                    if !info.isDegraded { answered.withLock { $0 += 1 } }
                })
            if window.count > 30 { manager.cancelImageRequest(window.removeFirst()) }
            if index % 100 == 0 { try await Task.sleep(for: .milliseconds(5)) }
            if index == 5000 { early = memory() }
        }
        for identifier in window { manager.cancelImageRequest(identifier) }
        while answered.withLock({ $0 }) < 10_000 { try await Task.sleep(for: .milliseconds(5)) }
        report("scrolling", (ContinuousClock.now - start) / .seconds(1))
        report("memory-ratio", memory() / early)
    }

    /// The process's resident memory in MiB.
    private static func memory() -> Double {
        let words =
            (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
            .split(separator: " ").compactMap { Double($0) } ?? []
        return (words.count > 1 ? words[1] : 0) * 4096 / Double(1 << 20)
    }

    private static func report(_ name: String, _ value: Double) {
        print(name, String(format: "%.2f", value))
    }
}
