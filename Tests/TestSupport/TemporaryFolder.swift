// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A temporary folder, removed when the object is released.
public final class TemporaryFolder: Sendable {
    /// The path of the folder.
    public let path: String

    /// Creates an empty folder.
    ///
    /// - Parameter isInMemory: Whether to keep files in memory if the system supports it, for tests
    ///   that write much and do not simulate power failures.
    public init(isInMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let isWritable = FileManager.default.isWritableFile(atPath: memory)
        let place = isInMemory && isWritable ? memory : NSTemporaryDirectory()
        // Resolves links, to match the paths that the kernel reports.
        let parent = URL(fileURLWithPath: place).resolvingSymlinksInPath().path
        path = "\(parent)/edithost-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a new folder that is removed when this process ends.
    public static func untilExit() throws -> String {
        let folder = try TemporaryFolder()
        kept.withLock { $0.append(folder) }
        atexit { TemporaryFolder.kept.withLock { $0.removeAll() } }
        return folder.path
    }

    private static let kept = Mutex<[TemporaryFolder]>([])

    /// Returns the path of a file in the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path. Missing folders of the path are created.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: (file(name) as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Writes a script that other programs can start, and returns its path.
    ///
    /// A child copies it. Children that other threads fork would hold a descriptor of this process, and the script could
    /// not be started meanwhile (`ETXTBSY`): shells then start the next program of that name in `PATH`.
    @discardableResult
    public func writeProgram(_ script: String, to name: String) throws -> String {
        let text = try write(Data(script.utf8), to: "\(name).text")
        let copied = try runProgram("/usr/bin/install", ["-m", "755", text, file(name)])
        guard copied.status == 0 else { throw POSIXError(.EIO) }
        try FileManager.default.removeItem(atPath: text)
        return file(name)
    }
}
