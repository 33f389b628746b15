// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import Synchronization

/// Reports the progress of a request to its handler, each value once.
struct ResourceProgress {
    private let total: Int
    private let handler: AssetResourceProgressHandler?
    private var received = 0
    private var last = -1.0

    init(of file: OutgoingFile, _ options: AssetResourceRequestOptions?) throws {
        handler = options?.progressHandler
        total = handler == nil ? 0 : Int(try file.bytes.hostStatus().st_size)
        report(0)
    }

    /// Reports more bytes. Never reports 1, because the hash is only compared after the last bytes.
    mutating func add(_ count: Int) {
        received += count
        if received < total { report(Double(received) / Double(total)) }
    }

    /// Reports the end of the request.
    mutating func finish() { report(1) }

    private mutating func report(_ progress: Double) {
        guard progress > last else { return }
        last = progress
        handler?(progress)
    }
}
