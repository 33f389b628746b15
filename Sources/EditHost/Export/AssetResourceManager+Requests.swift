// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import Synchronization

/// A function called with the progress of a resource request.
///
/// The values increase from 0 to 1. The value 1 is passed once, when the request is complete. The handler is
/// called on an arbitrary thread, and the request waits for it to return.
public typealias AssetResourceProgressHandler = @Sendable (Double) -> Void

extension AssetResourceManager {
    /// The requests in flight, of all managers.
    private static let pending = Mutex<[AssetResourceDataRequestID: Task<Void, Never>]>([:])

    /// Streams a resource like ``requestData(for:options:receive:)`` and returns immediately.
    ///
    /// - Parameters:
    ///   - options: The request's permissions and its progress handler.
    ///   - dataReceivedHandler: Called with each chunk, in order, on an arbitrary thread.
    ///   - completionHandler: Called once, after the last chunk, with nil or the error that ended the request.
    ///     A cancelled request ends with a `CancellationError`.
    /// - Returns: The identifier to pass to ``cancelDataRequest(_:)``.
    @discardableResult
    public func requestData(
        for resource: AssetResource, options: AssetResourceRequestOptions?,
        dataReceivedHandler: @escaping @Sendable (Data) -> Void,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> AssetResourceDataRequestID {
        let identifier = AssetResourceDataRequestID.next()
        Self.pending.withLock { pending in
            // The task removes itself under the same lock, so only after it was added.
            pending[identifier] = Task.detached {
                let failure = await Self.failure {
                    try await requestData(for: resource, options: options) {
                        dataReceivedHandler($0)
                    }
                }
                Self.pending.withLock { $0[identifier] = nil }
                completionHandler(failure)
            }
        }
        return identifier
    }

    /// Writes a resource to a new file like ``writeData(for:toFile:options:)`` and returns immediately.
    ///
    /// - Parameter completionHandler: Called once, on an arbitrary thread, with nil or the error that ended the
    ///   request.
    public func writeData(
        for resource: AssetResource, toFile url: URL, options: AssetResourceRequestOptions?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Task.detached {
            completionHandler(
                await Self.failure {
                    try await writeData(for: resource, toFile: url, options: options)
                })
        }
    }

    /// Cancels a request. This is a no-op for one that has completed.
    public func cancelDataRequest(_ identifier: AssetResourceDataRequestID) {
        Self.pending.withLock { $0[identifier] }?.cancel()
    }

    private static func failure(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }
}
