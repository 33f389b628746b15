// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// The requests for inputs that have not been answered yet.
final class ContentEditingInputRequests: Sendable {
    private struct Request {
        let handler: ContentEditingInputHandler
        /// Nil only while the request is being made.
        var task: Task<Void, Never>?
    }

    /// Whoever takes a request out of here answers it.
    private let pending = Mutex<[ContentEditingInputRequestID: Request]>([:])

    /// Begins work whose outcome goes to the handler, on another thread.
    func begin(
        _ work: @escaping @Sendable () async throws -> ContentEditingInput,
        handler: @escaping ContentEditingInputHandler
    ) -> ContentEditingInputRequestID {
        let identifier = ContentEditingInputRequestID.next()
        pending.withLock { pending in
            pending[identifier] = Request(handler: handler)
            // It cannot be answered before the lock is free.
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

    /// Answers a request as cancelled, and stops its work. Nothing happens where it has been
    /// answered already.
    func cancel(_ identifier: ContentEditingInputRequestID) {
        guard let request = pending.withLock({ $0.removeValue(forKey: identifier) }) else { return }
        request.task?.cancel()
        // Not on the caller's thread.
        Task.detached {
            request.handler(
                nil,
                ContentEditingInputInfo(requestID: identifier, isCancelled: true, error: nil))
        }
    }

    /// Cancels all.
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
