// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
    /// Registers an observer for changes committed from now on. The library holds a weak reference.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public func register(_ observer: any ChangeObserver) throws {
        try observation.add(observer, of: self)
    }

    /// Unregisters an observer. When this returns, no notification of it is in flight, and no
    /// further one follows.
    ///
    /// An observer may call this during a notification, for itself or for another observer. The
    /// call then does not wait, so that observers can unregister each other. A notification already
    /// in flight completes, and no further one begins. An observer must not wait for another thread
    /// that unregisters it.
    public func unregister(_ observer: any ChangeObserver) {
        observation.remove(observer)
    }

    /// PhotoKit's name for ``unregister(_:)``.
    public func unregisterChangeObserver(_ observer: any ChangeObserver) { unregister(observer) }

    /// Returns a stream of the changes committed from now on by any process, in commit order.
    ///
    /// Each call returns an independent stream with an unbounded buffer. The stream finishes when
    /// the library is closed, after the changes received by then. Changes that other processes
    /// commit at that moment can be fetched by token later.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
    public func changes() throws -> AsyncStream<Change> {
        let (stream, continuation) = AsyncStream.makeStream(of: Change.self)
        let observer = StreamObserver(continuation)
        // Keeps the observer alive until the stream finishes or is released.
        continuation.onTermination = { [weak self] _ in self?.unregister(observer) }
        try register(observer)
        return stream
    }
}
