// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EditingExtensionAPI
import Foundation

/// Blocks as many Dispatch threads as there are processors, until queued work runs. Dispatch finds
/// them blocked in the system's table of threads, and starts another thread.
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

/// The only symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Crowd.self, host: host)
}
