// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import Synchronization

/// A function called with the progress of a resource request.
///
/// The values increase from 0 to 1. The value 1 is passed once, when the request is complete. The handler is
/// called on an arbitrary thread, and the request waits for it to return.
public typealias AssetResourceProgressHandler = @Sendable (Double) -> Void

/// The permissions and the progress handler of a resource request.
public struct AssetResourceRequestOptions: Sendable {
    /// Whether the request may download bytes that are not on this machine.
    ///
    /// Downloads are not implemented, so this option has no effect. A resource that is not in the library, not
    /// in a referenced file and cannot be rendered is an error.
    public var isNetworkAccessAllowed = false
    /// Called with the progress of the request, also for local bytes. The time to render a resource that is not
    /// stored is not counted.
    public var progressHandler: AssetResourceProgressHandler?

    /// Creates options without network access and without a progress handler.
    public init() {}
}

/// Reports the progress of a request to its handler, each value once.
struct ResourceProgress {
    private let total: Int
    private let handler: AssetResourceProgressHandler?
    private var given = 0
    private var last = -1.0

    init(of file: OutgoingFile, _ options: AssetResourceRequestOptions?) throws {
        handler = options?.progressHandler
        total = handler == nil ? 0 : Int(try file.bytes.hostStatus().st_size)
        tell(0)
    }

    /// Reports more bytes. It never reports 1, because the hash is compared after the last bytes.
    mutating func add(_ count: Int) {
        given += count
        if given < total { tell(Double(given) / Double(total)) }
    }

    /// Reports the end of the request.
    mutating func finish() { tell(1) }

    private mutating func tell(_ progress: Double) {
        guard progress > last else { return }
        last = progress
        handler?(progress)
    }
}

/// Identifies a request for the bytes of a resource for the lifetime of the process.
public struct AssetResourceDataRequestID: Hashable, Sendable {
    private let number: Int

    private static let last = Mutex(0)

    static func next() -> AssetResourceDataRequestID {
        AssetResourceDataRequestID(
            number: last.withLock { last in
                last += 1
                return last
            })
    }
}

extension AssetResourceManager {
    /// The requests in flight, of all managers.
    private static let pending = Mutex<[AssetResourceDataRequestID: Task<Void, Never>]>([:])

    /// Streams a resource like ``requestData(for:options:receive:)`` and returns immediately.
    ///
    /// - Parameters:
    ///   - options: the request's permissions and its progress handler.
    ///   - dataReceivedHandler: called with each chunk, in order, on an arbitrary thread.
    ///   - completionHandler: called once, after the last chunk, with nil or the error that ended the request.
    ///     A cancelled request ends with a `CancellationError`.
    /// - Returns: the identifier to pass to ``cancelDataRequest(_:)``.
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
    /// - Parameter completionHandler: called once, on an arbitrary thread, with nil or the error that ended the
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
