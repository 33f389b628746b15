// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of a test's own, removed with it.
public final class TemporaryFolder: Sendable {
    /// Its path.
    public let path: String

    /// Makes an empty folder.
    public init() throws {
        path = NSTemporaryDirectory() + "/edithost-test-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A path in the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and gives its path.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
}
