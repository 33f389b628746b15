// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// The unfinished requests for pictures, with their handlers.
///
/// A request's handler is called by one thread at a time, and never after its final call. That call delivers the final
/// picture, an error or the cancellation. No lock is held during a call, so a handler may start another request.
final class ImageRequests<Value: Sendable>: Sendable {
    typealias Handler = @Sendable (Value?, ImageRequestInfo) -> Void

    private struct Request {
        let handler: Handler
        /// `nil` only until the work has started.
        var task: Task<Void, Never>?
        var isDelivering = false
        var isCancelled = false
        /// The final answer, delivered as soon as the current call of the handler returns.
        var end: (Value?, ImageRequestInfo)?
    }

    private let pending = Mutex<[ImageRequestID: Request]>([:])

    /// The number of unfinished requests.
    var count: Int { pending.withLock { $0.count } }

    /// Registers a request and starts its work on another thread, unless the handler has already cancelled it.
    ///
    /// - Parameters:
    ///   - early: A degraded picture, delivered to the handler before this method returns.
    ///   - work: Returns the final answer. It may deliver degraded pictures with ``deliver(_:_:)`` before.
    func begin(
        _ identifier: ImageRequestID, early: Value? = nil, _ handler: @escaping Handler,
        _ work: @escaping @Sendable () async -> (Value?, ImageRequestInfo)
    ) {
        pending.withLock { $0[identifier] = Request(handler: handler) }
        if let early { deliver(identifier, early) }
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

    /// Delivers a degraded picture, unless the request has ended.
    func deliver(_ identifier: ImageRequestID, _ value: Value) {
        let handler = pending.withLock { pending -> Handler? in
            guard let request = pending[identifier], request.end == nil, !request.isDelivering,
                !request.isCancelled
            else { return nil }
            pending[identifier]?.isDelivering = true
            return request.handler
        }
        guard let handler else { return }
        var info = ImageRequestInfo(identifier)
        info.isDegraded = true
        handler(value, info)
        let end = pending.withLock { pending -> (Value?, ImageRequestInfo)? in
            pending[identifier]?.isDelivering = false
            guard let end = pending[identifier]?.end else { return nil }
            pending[identifier] = nil
            return end
        }
        if let end { handler(end.0, end.1) }
    }

    private func finish(
        _ identifier: ImageRequestID, _ value: Value?, _ info: ImageRequestInfo
    ) {
        var info = info
        let handler = pending.withLock { pending -> Handler? in
            guard let request = pending[identifier], request.end == nil else { return nil }
            // A cancelled request is answered only with the cancellation.
            if request.isCancelled, !info.isCancelled { return nil }
            info = request.isCancelled ? info : info.withoutCancel
            if request.isDelivering {
                pending[identifier]?.end = (value, info)
                return nil
            }
            pending[identifier] = nil
            return request.handler
        }
        handler?(value, info)
    }

    /// Cancels a request: its work is stopped, and its handler is notified soon. Cancelling an ended request is a
    /// no-op.
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
        // The handler must not run on the caller's thread.
        Task.detached(executorPreference: WaitingThread.executor) { [self, info] in
            finish(identifier, nil, info)
        }
    }

    /// Cancels all unfinished requests.
    func cancelAll() {
        for identifier in pending.withLock({ Array($0.keys) }) { cancel(identifier) }
    }
}
