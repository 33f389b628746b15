// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Foundation
import Glibc
import RunnerProtocol

/// The end of a runner's output to stdout and stderr. Earlier output is drained and discarded.
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

    /// The text. Invalid UTF-8 is replaced.
    var text: String {
        (isTruncated ? "[...] " : "") + String(decoding: bytes, as: UTF8.self)
    }
}
