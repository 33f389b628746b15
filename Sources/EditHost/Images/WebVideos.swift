// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

/// The videos of a library in the form that browsers play: those in its cache, and the conversions in flight.
/// Concurrent requests for the same video share one conversion. A conversion without waiters is cancelled.
final class WebVideos: Sendable {
    /// The operation that converts a video. It reports the completed fraction.
    typealias Work =
        @Sendable (_ report: @escaping @Sendable (Double) -> Void) async throws ->
        AssetVideo

    private typealias Waiter = CheckedContinuation<AssetVideo, any Error>

    private struct Job {
        let number: Int
        let task: Task<Void, Never>
        var waiters: [Int: Waiter] = [:]
        var fraction = 0.0
    }

    private struct State {
        var jobs: [ContentKey: Job] = [:]
        /// The videos that were requested last, in order. Requests for further parts of a video therefore need not open
        /// it again, and a video that cannot be stored is not converted again for each part.
        var recent: [(key: ContentKey, video: AssetVideo)] = []
        /// Whether browsers can play the files with these hashes without a conversion.
        var playable: [SHA256Digest: Bool] = [:]
        var begun = 0
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private static let recentLimit = 8
    private static let playableLimit = 10_000

    private let store: VideoStore
    private let state = Mutex(State())

    init(store: VideoStore) { self.store = store }

    /// Returns the video with a key if it has been converted.
    func video(_ key: ContentKey) -> AssetVideo? {
        if let video = state.withLock({ $0.recent.first { $0.key == key }?.video }) { return video }
        guard let kept = store.video(key), let video = try? AssetVideo(kept) else { return nil }
        remember(video, key)
        return video
    }

    private func remember(_ video: AssetVideo, _ key: ContentKey) {
        state.withLock { state in
            state.recent.removeAll { $0.key == key }
            state.recent.append((key, video))
            if state.recent.count > Self.recentLimit { state.recent.removeFirst() }
        }
    }

    /// The completed fraction of a conversion in flight; `nil` if there is none.
    func fraction(_ key: ContentKey) -> Double? { state.withLock { $0.jobs[key]?.fraction } }

    /// The number of conversions in flight.
    var count: Int { state.withLock { $0.jobs.count } }

    /// The number of conversions started so far.
    var begun: Int { state.withLock { $0.begun } }

    /// Returns the video with a key, and converts it if needed. If the task is cancelled, this throws immediately. If
    /// no other task waits for the conversion, it is cancelled too.
    ///
    /// - Throws: Errors thrown by `work`; `CancellationError`.
    func video(_ key: ContentKey, _ work: @escaping Work) async throws -> AssetVideo {
        if let video = video(key) { return video }
        let number = state.withLock { $0.nextNumber() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(key, number, $0, work) }
        } onCancel: {
            leave(key, number)
        }
    }

    private func join(
        _ key: ContentKey, _ number: Int, _ waiter: Waiter, _ work: @escaping Work
    ) {
        let hasJoined = state.withLock { state in
            // `leave` may have been called already.
            if Task.isCancelled { return false }
            if state.jobs[key] == nil {
                let job = state.nextNumber()
                state.jobs[key] = Job(number: job, task: start(job, key, work))
            }
            state.jobs[key]?.waiters[number] = waiter
            return true
        }
        if !hasJoined { waiter.resume(throwing: CancellationError()) }
    }

    private func start(
        _ number: Int, _ key: ContentKey, _ work: @escaping Work
    ) -> Task<Void, Never> {
        Task.detached(executorPreference: WaitingThread.executor) { [self] in
            let result = await Result.capturing { try await convert(number, key, work) }
            for waiter in end(number, key) { waiter.resume(with: result) }
        }
    }

    private func convert(
        _ number: Int, _ key: ContentKey, _ work: Work
    ) async throws -> AssetVideo {
        // Another conversion may have finished after the request looked for its video.
        if let video = video(key) { return video }
        state.withLock { $0.begun += 1 }
        let video = try await work { [self] in report($0, number, key) }
        let converted = VideoStore.Video(
            file: video.file, size: video.size, duration: video.duration)
        store.keep(converted, key)
        // All requests get the stored file, so that the parts that they read belong to the same file.
        let kept = store.video(key).flatMap { try? AssetVideo($0) } ?? video
        remember(kept, key)
        return kept
    }

    private func report(_ fraction: Double, _ number: Int, _ key: ContentKey) {
        state.withLock { state in
            if state.jobs[key]?.number == number { state.jobs[key]?.fraction = fraction }
        }
    }

    /// Removes a conversion that has ended, and returns those that wait for it.
    private func end(_ number: Int, _ key: ContentKey) -> [Waiter] {
        state.withLock { state in
            guard state.jobs[key]?.number == number else { return [] }
            return state.jobs.removeValue(forKey: key).map { Array($0.waiters.values) } ?? []
        }
    }

    private func leave(_ key: ContentKey, _ number: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            let waiter = state.jobs[key]?.waiters.removeValue(forKey: number)
            guard waiter != nil, state.jobs[key]?.waiters.isEmpty == true else {
                return (waiter, nil)
            }
            // A later request for the same video starts a new conversion.
            return (waiter, state.jobs.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.resume(throwing: CancellationError())
    }

    /// Returns whether browsers can play the file with this hash without a conversion. `find` is called once for each
    /// file.
    func isPlayable(
        _ file: SHA256Digest, _ find: () async throws -> Bool
    ) async rethrows -> Bool {
        if let known = state.withLock({ $0.playable[file] }) { return known }
        let found = try await find()
        state.withLock { state in
            if state.playable.count >= Self.playableLimit { state.playable = [:] }
            state.playable[file] = found
        }
        return found
    }
}

extension AssetVideo {
    /// Creates a video from the cache.
    fileprivate init(_ kept: VideoStore.Video) throws {
        try self.init(kept.file, .mp4, kept.size, duration: kept.duration)
    }
}
