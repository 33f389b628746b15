// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A snapshot of a folder, to be compared with a later one. Links are not followed, and only
/// regular files are opened.
public struct FolderRecord: Equatable, CustomStringConvertible {
    private struct Item: Equatable {
        let mode: mode_t
        let owner: uid_t
        let seconds: Int
        let nanoseconds: Int
        let inode: ino_t
        /// The bytes of a file, or the target of a link.
        let content: Data?
    }

    private var items: [String: Item] = [:]

    /// Records a folder and its contents.
    public init(_ path: String) throws {
        items["."] = try Self.item(path)
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            items[name] = try Self.item(path + "/" + name)
        }
    }

    private static func item(_ path: String) throws -> Item {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw POSIXError(.ENOENT) }
        let content: Data? =
            switch status.st_mode & S_IFMT {
            case S_IFREG: try Data(contentsOf: URL(fileURLWithPath: path))
            case S_IFLNK:
                Data(try FileManager.default.destinationOfSymbolicLink(atPath: path).utf8)
            default: nil
            }
        return Item(
            mode: status.st_mode, owner: status.st_uid, seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec, inode: status.st_ino, content: content)
    }

    /// The names of the files that differ between two records.
    public func differences(from other: FolderRecord) -> [String] {
        Set(items.keys).union(other.items.keys).filter { items[$0] != other.items[$0] }.sorted()
    }

    /// The names of the files, separated by commas.
    public var description: String { items.keys.sorted().joined(separator: ", ") }
}
