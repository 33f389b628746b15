// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A folder of a test's own, removed with it.
public final class TemporaryFolder: Sendable {
    /// Its path.
    public let path: String

    /// Makes an empty folder.
    ///
    /// - Parameter isInMemory: where the system has a place for it, files are kept in memory: for
    ///   tests that write much and cut no power.
    public init(isInMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let isWritable = FileManager.default.isWritableFile(atPath: memory)
        let place = isInMemory && isWritable ? memory : NSTemporaryDirectory()
        // As the kernel will name it.
        let parent = URL(fileURLWithPath: place).resolvingSymlinksInPath().path
        path = "\(parent)/edithost-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a new folder that is removed when this process ends.
    public static func untilExit() throws -> String {
        let folder = try TemporaryFolder()
        kept.withLock { $0.append(folder) }
        atexit { TemporaryFolder.kept.withLock { $0.removeAll() } }
        return folder.path
    }

    private static let kept = Mutex<[TemporaryFolder]>([])

    /// A path in the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and gives its path.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
}
