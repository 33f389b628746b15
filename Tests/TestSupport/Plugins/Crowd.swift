// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EditingExtensionAPI
import Foundation

/// Blocks every thread that Dispatch has until work is done that waits behind them. Dispatch sees
/// that they are blocked, from the system's table of threads, and starts another.
struct Crowd: PhotoFilter {
    static let identifier = "org.example.crowd"
    static let version = "1.0"

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        let gate = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        let count = ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<count {
            DispatchQueue.global().async(group: group) { gate.wait() }
        }
        DispatchQueue.global().async(group: group) {
            for _ in 0..<count { gate.signal() }
        }
        group.wait()
        return image
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Crowd.self, host: host)
}
