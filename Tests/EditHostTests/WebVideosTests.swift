// SPDX-License-Identifier: Apache-2.0

import Library
import TestSupport
import Testing

@testable import EditHost

@Suite("conversions in flight")
struct WebVideosTests {
    private let folder: TemporaryFolder
    private let library: PhotoLibrary
    private let videos: WebVideos
    private let key: ContentKey

    init() throws {
        folder = try TemporaryFolder()
        library = try PhotoLibrary.create(at: folder.file("Test.editlibrary"))
        videos = WebVideos(store: library.convertedVideos(limit: 0))
        key = try #require(ContentKey(String(repeating: "0", count: 32)))
    }

    /// Requests a video whose conversion does not end by itself.
    private func request() -> Task<AssetVideo, any Error> {
        // It has joined the conversion when this returns.
        Task.immediate { [videos, key] in
            try await videos.video(key) { _ in
                try await Task.sleep(for: .seconds(3600))
                throw CancellationError()
            }
        }
    }

    @Test(
        "a cancelled request ends at once, while another one waits for the conversion",
        .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let (first, second) = (request(), request())
        second.cancel()
        await #expect(throws: CancellationError.self) { _ = try await second.value }
        #expect(videos.count == 1)
        first.cancel()
        await #expect(throws: CancellationError.self) { _ = try await first.value }
        #expect(videos.count == 0)
    }

    @Test("a request that was cancelled before it started does not wait", .timeLimit(.minutes(1)))
    func cancelledBefore() async throws {
        let task = Task { [videos, key] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await videos.video(key) { _ in
                try await Task.sleep(for: .seconds(3600))
                throw CancellationError()
            }
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(videos.count == 0)
    }
}
