// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// The requests for pictures that have not been answered to the end yet, and who is told.
///
/// A request's handler is called by one thread at a time, and never again after its last call: with the right
/// picture, an error, or the news that it was cancelled. No lock is held meanwhile: it may ask again.
final class ImageRequests<Value: Sendable>: Sendable {
    typealias Handler = @Sendable (Value?, ImageRequestInfo) -> Void

    private struct Request {
        let handler: Handler
        /// Nil only while the request is being made.
        var task: Task<Void, Never>?
        var isTelling = false
        var isCancelled = false
        /// What is to be told as soon as the handler has returned.
        var end: (Value?, ImageRequestInfo)?
    }

    private let pending = Mutex<[ImageRequestID: Request]>([:])

    /// How many have not been answered to the end.
    var count: Int { pending.withLock { $0.count } }

    /// Takes a request, and begins its work on another thread unless the caller has its answer already.
    ///
    /// - Parameters:
    ///   - early: A temporary picture, which the handler gets before this returns.
    ///   - work: Ends with the last answer; may tell of temporary pictures before.
    func begin(
        _ identifier: ImageRequestID, early: Value? = nil, _ handler: @escaping Handler,
        _ work: @escaping @Sendable () async -> (Value?, ImageRequestInfo)
    ) {
        pending.withLock { $0[identifier] = Request(handler: handler) }
        if let early { tell(identifier, early) }
        pending.withLock { pending in
            // The handler may have cancelled the request.
            guard pending[identifier]?.isCancelled == false else { return }
            pending[identifier]?.task = Task.detached(
                executorPreference: WaitingThread.executor
            ) { [self] in
                let (value, info) = await work()
                finish(identifier, value, info)
            }
        }
    }

    /// Tells of a temporary picture, unless the request has ended.
    func tell(_ identifier: ImageRequestID, _ value: Value) {
        let handler = pending.withLock { pending -> Handler? in
            guard let request = pending[identifier], request.end == nil, !request.isTelling,
                !request.isCancelled
            else { return nil }
            pending[identifier]?.isTelling = true
            return request.handler
        }
        guard let handler else { return }
        var info = ImageRequestInfo(identifier)
        info.isDegraded = true
        handler(value, info)
        let end = pending.withLock { pending -> (Value?, ImageRequestInfo)? in
            pending[identifier]?.isTelling = false
            guard let end = pending[identifier]?.end else { return nil }
            pending[identifier] = nil
            return end
        }
        if let end { handler(end.0, end.1) }
    }

    private func finish(
        _ identifier: ImageRequestID, _ value: Value?, _ given: ImageRequestInfo
    ) {
        var info = given
        let handler = pending.withLock { pending -> Handler? in
            guard let request = pending[identifier], request.end == nil else { return nil }
            // Whoever has cancelled it hears of that.
            if request.isCancelled, !info.isCancelled { return nil }
            info = request.isCancelled ? info : info.withoutCancel
            if request.isTelling {
                pending[identifier]?.end = (value, info)
                return nil
            }
            pending[identifier] = nil
            return request.handler
        }
        handler?(value, info)
    }

    /// Ends a request: its handler hears soon that it was cancelled, and its work is stopped. Nothing happens
    /// where it has ended already.
    func cancel(_ identifier: ImageRequestID) {
        let isPending = pending.withLock { pending in
            guard let request = pending[identifier], request.end == nil, !request.isCancelled
            else { return false }
            pending[identifier]?.isCancelled = true
            request.task?.cancel()
            return true
        }
        guard isPending else { return }
        var info = ImageRequestInfo(identifier)
        info.isCancelled = true
        // Not on the caller's thread.
        Task.detached(executorPreference: WaitingThread.executor) { [self, info] in
            finish(identifier, nil, info)
        }
    }

    /// Cancels all.
    func cancelAll() {
        for identifier in pending.withLock({ Array($0.keys) }) { cancel(identifier) }
    }
}

extension ImageRequestInfo {
    /// The same where nobody has cancelled the request: what ended its work is a failure.
    var withoutCancel: ImageRequestInfo {
        guard isCancelled else { return self }
        var info = self
        info.isCancelled = false
        info.error = HostError(.runnerFailed, "the request ended before it was done")
        return info
    }
}
