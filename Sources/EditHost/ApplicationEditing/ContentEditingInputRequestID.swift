// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

/// The identifier of a request for a ``ContentEditingInput``, unique within the process.
public struct ContentEditingInputRequestID: RawRepresentable, Hashable, Sendable {
    /// The number of the request, from 1.
    public let rawValue: Int

    /// Creates the identifier with a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    private static let last = Mutex(0)

    /// Returns a new identifier.
    static func next() -> ContentEditingInputRequestID {
        last.withLock { last in
            last += 1
            return ContentEditingInputRequestID(rawValue: last)
        }
    }
}
