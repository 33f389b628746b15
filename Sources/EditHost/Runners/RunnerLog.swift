// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The end of what a runner wrote to stdout and stderr: the rest is drained and forgotten.
struct RunnerLog {
    static let capacity = 16 << 10
    private var bytes = Data()
    private var isTruncated = false

    mutating func append(_ data: Data) {
        bytes.append(data)
        if bytes.count > Self.capacity {
            bytes = Data(bytes.suffix(Self.capacity))
            isTruncated = true
        }
    }

    /// The text; unreadable bytes are replaced.
    var text: String {
        (isTruncated ? "[...] " : "") + String(decoding: bytes, as: UTF8.self)
    }
}
