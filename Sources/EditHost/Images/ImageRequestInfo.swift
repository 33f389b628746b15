// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What is said with the answer to a request for a picture.
public struct ImageRequestInfo: Sendable {
    /// The request.
    public let requestID: ImageRequestID
    /// Whether the picture is smaller or coarser than what was asked for; the right one follows, but for
    /// the delivery mode `fastFormat`.
    public var isDegraded = false
    /// Whether there is no picture because the original is not on this computer: it is a file that was
    /// referenced and is away.
    public var isInCloud = false
    /// Whether the request was cancelled; there is no picture and no error then.
    public var isCancelled = false
    /// Why there is no picture: a `HostError` or `LibraryError` that names the asset.
    public var error: (any Error)?

    init(_ requestID: ImageRequestID) { self.requestID = requestID }
}

/// The number of a request for a picture; never given twice by one process.
public struct ImageRequestID: RawRepresentable, Hashable, Sendable {
    /// The number, from 1 on.
    public let rawValue: Int

    /// The number that no request has.
    public static let invalid = ImageRequestID(rawValue: 0)

    /// The request of a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    private static let last = Mutex(0)

    /// The next one.
    static func next() -> ImageRequestID {
        last.withLock { last in
            last += 1
            return ImageRequestID(rawValue: last)
        }
    }
}

/// PhotoKit's name of ``ImageRequestID/invalid``.
public let invalidImageRequestID = ImageRequestID.invalid
