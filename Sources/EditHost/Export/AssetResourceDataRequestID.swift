// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

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
