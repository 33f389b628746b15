// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import Synchronization

/// Is told how far a request for a resource has come: more each time, from 0 to 1, and 1 once, when all is
/// there. It is called on an arbitrary thread, and the request waits for it.
public typealias AssetResourceProgressHandler = @Sendable (Double) -> Void

/// What a request for the bytes of a resource allows.
public struct AssetResourceRequestOptions: Sendable {
    /// Whether bytes that are away may be fetched. Nothing is fetched yet, whatever this says: a
    /// resource whose bytes are neither in the library nor in a referenced file nor can be rendered
    /// is an error.
    public var isNetworkAccessAllowed = false
    /// Who is told of the progress, also of bytes that are here. Rendering what is not stored comes
    /// before, and is not counted.
    public var progressHandler: AssetResourceProgressHandler?

    /// No network, and nobody is told.
    public init() {}
}

/// How far a request has come.
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

    /// Tells of bytes more. All of them are not yet the end: their hash has to be compared.
    mutating func add(_ count: Int) {
        given += count
        if given < total { tell(Double(given) / Double(total)) }
    }

    /// Tells that all is there.
    mutating func finish() { tell(1) }

    private mutating func tell(_ progress: Double) {
        guard progress > last else { return }
        last = progress
        handler?(progress)
    }
}

/// Names a request for the bytes of a resource, for as long as the process runs.
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
    /// The requests that have not been answered yet, of all managers.
    private static let pending = Mutex<[AssetResourceDataRequestID: Task<Void, Never>]>([:])

    /// Reads a resource, as ``requestData(for:options:receive:)``, and returns at once.
    ///
    /// - Parameters:
    ///   - options: what to allow, and who is told of the progress.
    ///   - dataReceivedHandler: gets the bytes, some at a time, on an arbitrary thread.
    ///   - completionHandler: told at the end, once, after the last bytes: nil, or why there are no
    ///     more; of a request that was cancelled, a `CancellationError`.
    /// - Returns: what ``cancelDataRequest(_:)`` takes.
    @discardableResult
    public func requestData(
        for resource: AssetResource, options: AssetResourceRequestOptions?,
        dataReceivedHandler: @escaping @Sendable (Data) -> Void,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> AssetResourceDataRequestID {
        let identifier = AssetResourceDataRequestID.next()
        Self.pending.withLock { pending in
            // It cannot be forgotten before the lock is free.
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

    /// Writes a resource to a file that is not there yet, as ``writeData(for:toFile:options:)``, and
    /// returns at once.
    ///
    /// - Parameter completionHandler: told at the end, once, on an arbitrary thread: nil, or why there
    ///   is no file.
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

    /// Ends a request. Nothing happens where it has been answered already.
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
