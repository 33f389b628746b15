// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The number of a request for a ``ContentEditingInput``; never given twice by one process.
public struct ContentEditingInputRequestID: RawRepresentable, Hashable, Sendable {
    /// The number, from 1 on.
    public let rawValue: Int

    /// The request of a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    private static let last = Mutex(0)

    /// The next one.
    static func next() -> ContentEditingInputRequestID {
        last.withLock { last in
            last += 1
            return ContentEditingInputRequestID(rawValue: last)
        }
    }
}
