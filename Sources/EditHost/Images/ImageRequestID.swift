// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The identifier of a request for a picture, unique within the process.
public struct ImageRequestID: RawRepresentable, Hashable, Sendable {
    /// The number of the request, counted from 1.
    public let rawValue: Int

    /// An identifier that no request has.
    public static let invalid = ImageRequestID(rawValue: 0)

    /// Creates the identifier with this number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    private static let last = Mutex(0)

    /// Returns an unused identifier.
    static func next() -> ImageRequestID {
        last.withLock { last in
            last += 1
            return ImageRequestID(rawValue: last)
        }
    }
}
