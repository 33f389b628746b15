// SPDX-License-Identifier: Apache-2.0

/// An observer that yields changes to a stream.
final class StreamObserver: ChangeObserver {
    private let continuation: AsyncStream<Change>.Continuation

    init(_ continuation: AsyncStream<Change>.Continuation) { self.continuation = continuation }

    func photoLibraryDidChange(_ change: Change) { continuation.yield(change) }

    /// Finishes the stream.
    func finish() { continuation.finish() }
}
