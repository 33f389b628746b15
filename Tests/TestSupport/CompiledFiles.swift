// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files compiled by this test process, each once, in a folder that is removed when it ends.
///
/// `@unchecked` because `paths` is accessed only while `lock` is held.
final class CompiledFiles: @unchecked Sendable {
    private let lock = NSLock()
    private var paths: [[String]: Result<String, any Error>] = [:]

    private static let folder = Result { try TemporaryFolder.untilExit() }

    /// Returns the path of the file for a key. The first call makes it; concurrent calls wait.
    func value(
        for key: [String], ending: String, make: (_ path: String) throws -> Void
    ) throws -> String {
        try lock.withLock {
            if let known = paths[key] { return try known.get() }
            let path = "\(try Self.folder.get())/\(UUID().uuidString)\(ending)"
            let result = Result {
                try make(path)
                return path
            }
            paths[key] = result
            return try result.get()
        }
    }
}
