// SPDX-License-Identifier: Apache-2.0

import Logging

/// A log handler that writes to standard error.
struct StandardErrorLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        StandardStream.error.message("\(event.level): \(event.message)")
    }
}
