// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The private folder of one runner, the only place where it may write.
final class RunnerFolder: Sendable {
    let path: String

    /// - Throws: `HostError` with `fileFailed`.
    init() throws {
        let parent = FileManager.default.temporaryDirectory.path
        var template = Array("\(parent)/edithost-runner-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw OwnedDescriptor.failure("cannot be made", path: "a folder in \(parent)")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes it and all in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    deinit { remove() }
}
