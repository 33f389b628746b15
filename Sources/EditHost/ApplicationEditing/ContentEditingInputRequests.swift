// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// The pending requests for inputs.
final class ContentEditingInputRequests: Sendable {
    private struct Request {
        let handler: ContentEditingInputHandler
        /// The task of the request. Nil only while the request is being created.
        var task: Task<Void, Never>?
    }

    /// The pending requests. The code that removes a request must answer it, so that each request is answered exactly
    /// once.
    private let pending = Mutex<[ContentEditingInputRequestID: Request]>([:])

    /// Starts work on another thread and passes its result to the handler.
    func begin(
        _ work: @escaping @Sendable () async throws -> ContentEditingInput,
        handler: @escaping ContentEditingInputHandler
    ) -> ContentEditingInputRequestID {
        let identifier = ContentEditingInputRequestID.next()
        pending.withLock { pending in
            pending[identifier] = Request(handler: handler)
            // The task cannot answer the request before the lock is released.
            pending[identifier]?.task = Task.detached { [self] in
                let result: Result<ContentEditingInput, any Error>
                do {
                    result = .success(try await work())
                } catch {
                    result = .failure(error)
                }
                answer(identifier, result)
            }
        }
        return identifier
    }

    /// Answers a request as cancelled and stops its work. A no-op if it has been
    /// answered already.
    func cancel(_ identifier: ContentEditingInputRequestID) {
        guard let request = pending.withLock({ $0.removeValue(forKey: identifier) }) else { return }
        request.task?.cancel()
        // The handler must not be called on the caller's thread.
        Task.detached {
            request.handler(
                nil,
                ContentEditingInputInfo(requestID: identifier, isCancelled: true, error: nil))
        }
    }

    /// Cancels all pending requests.
    func cancelAll() {
        for identifier in pending.withLock({ Array($0.keys) }) { cancel(identifier) }
    }

    private func answer(
        _ identifier: ContentEditingInputRequestID, _ result: Result<ContentEditingInput, any Error>
    ) {
        guard let request = pending.withLock({ $0.removeValue(forKey: identifier) }) else { return }
        switch result {
        case .success(let input):
            request.handler(
                input,
                ContentEditingInputInfo(requestID: identifier, isCancelled: false, error: nil))
        case .failure(let error):
            let isCancelled = (error as? HostError)?.code == .cancelled
            request.handler(
                nil,
                ContentEditingInputInfo(
                    requestID: identifier, isCancelled: isCancelled,
                    error: isCancelled ? nil : error))
        }
    }
}
