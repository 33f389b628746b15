// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Is told of every change of a library, whoever makes it: this program or another process.
public protocol ChangeObserver: AnyObject, Sendable {
    /// Called once for each committed change, after it is durable, in the order of the commits,
    /// on an arbitrary queue which is never the main one. One observer is never called twice at
    /// the same time; several observers may be.
    func photoLibraryDidChange(_ change: Change)
}

/// PhotoKit's name of ``ChangeObserver``.
public typealias PhotoLibraryChangeObserver = ChangeObserver

extension PhotoLibrary {
    /// Registers an observer: it is told of changes that are committed from now on. It is not
    /// kept alive.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public func register(_ observer: any ChangeObserver) throws {
        try observation.add(observer, of: self)
    }

    /// Unregisters an observer: when this returns, it is not being told of anything and never
    /// will be.
    ///
    /// Called by an observer while it is being told, for itself or for another one, this does not
    /// wait, so that observers can unregister each other: a call that has begun then goes on, and
    /// no other one begins. An observer must not wait for another thread that unregisters it.
    public func unregister(_ observer: any ChangeObserver) {
        observation.remove(observer)
    }

    /// PhotoKit's name of ``unregister(_:)``.
    public func unregisterChangeObserver(_ observer: any ChangeObserver) { unregister(observer) }

    /// The changes that are committed from now on, by any process, in their order.
    ///
    /// Every call gives a sequence of its own. What is not consumed is kept, however much it
    /// becomes. The sequence ends when the library is closed, after the changes that it has been
    /// told of by then; what others commit at that moment can be fetched by token later.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public func changes() throws -> AsyncStream<Change> {
        let (stream, continuation) = AsyncStream.makeStream(of: Change.self)
        let observer = StreamObserver(continuation)
        // This keeps the observer alive, until the stream is finished or let go.
        continuation.onTermination = { [weak self] _ in self?.unregister(observer) }
        try register(observer)
        return stream
    }
}

/// Passes changes on to a stream.
final class StreamObserver: ChangeObserver {
    private let continuation: AsyncStream<Change>.Continuation

    init(_ continuation: AsyncStream<Change>.Continuation) { self.continuation = continuation }

    func photoLibraryDidChange(_ change: Change) { continuation.yield(change) }

    /// Ends the stream.
    func finish() { continuation.finish() }
}
