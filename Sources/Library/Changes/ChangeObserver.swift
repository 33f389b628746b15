// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Is told of every change of a library, whoever makes it: this program or another process.
public protocol ChangeObserver: AnyObject, Sendable {
    /// Called once for each committed change, after it is durable, in the order of the commits,
    /// on an arbitrary queue which is never the main one. One observer is never called twice at
    /// the same time; several observers may be.
    func photoLibraryDidChange(_ change: Change)
}

extension PhotoLibrary {
    /// Registers an observer: it is told of changes that are committed from now on. It is not
    /// kept alive.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public func register(_ observer: any ChangeObserver) throws {
        try observation.add(observer, of: self)
    }

    /// Unregisters an observer: when this returns, it is not being told of anything and never
    /// will be, except where it calls this while it is being told.
    public func unregister(_ observer: any ChangeObserver) {
        observation.remove(observer)
    }

    /// The changes that are committed from now on, by any process, in their order.
    ///
    /// Every use is a sequence of its own. What is not consumed is kept, however much it becomes.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public func changes() throws -> AsyncStream<Change> {
        let (stream, continuation) = AsyncStream.makeStream(of: Change.self)
        let observer = StreamObserver(continuation)
        try register(observer)
        continuation.onTermination = { [weak self] _ in self?.unregister(observer) }
        return stream
    }
}

/// Passes changes on to a stream.
private final class StreamObserver: ChangeObserver {
    private let continuation: AsyncStream<Change>.Continuation

    init(_ continuation: AsyncStream<Change>.Continuation) { self.continuation = continuation }

    func photoLibraryDidChange(_ change: Change) { continuation.yield(change) }
}
