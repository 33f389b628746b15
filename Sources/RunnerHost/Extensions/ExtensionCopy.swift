// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc

/// Copies the untrusted folder of an extension.
///
/// Only regular files and folders are copied, within limits. The copies belong to the current user and have
/// standard permissions.
package struct ExtensionCopy {
    private var countLeft = ExtensionSizeLimits.installedFiles
    private var sizeLeft = ExtensionSizeLimits.total

    /// Copies the contents of a folder into an empty one.
    ///
    /// - Throws: `HostError` with `unusableExtension`, which names the rejected file, or `fileFailed`;
    ///   `CancellationError`.
    package static func copy(_ source: String, to target: String) throws {
        var copy = ExtensionCopy()
        try copy.copyContent(
            of: try OpenFile.reading(source, flags: O_DIRECTORY),
            to: try OpenFile.reading(target, flags: O_DIRECTORY | O_NOFOLLOW),
            path: source, depth: 0)
    }

    private mutating func copyContent(
        of source: OpenFile, to target: OpenFile, path: String, depth: Int
    ) throws {
        let maximumDepth = ExtensionSizeLimits.depth
        guard depth <= maximumDepth else {
            throw Self.refusal("\(path) is nested more than \(maximumDepth) folders deep")
        }
        for name in try names(in: source, path) {
            try Task.checkCancellation()
            let inner = "\(path)/\(name)"
            let (item, status) = try Self.open(name, in: source, path: inner)
            if status.st_mode & S_IFMT == S_IFREG {
                try copyFile(item, to: target, name, status, path: inner)
            } else {
                let folder = try Self.makeFolder(name, in: target)
                try copyContent(of: item, to: folder, path: inner, depth: depth + 1)
            }
        }
    }

    /// Opens a regular file or a folder. The type is checked first, because opening a device may have side
    /// effects.
    private static func open(
        _ name: String, in folder: OpenFile, path: String
    ) throws -> (OpenFile, stat) {
        var status = stat()
        guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw HostError.file("cannot be examined", path: path)
        }
        try requireFileOrFolder(status, path)
        let number = openat(
            folder.descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { throw HostError.file("cannot be opened", path: path) }
        let item = OpenFile(descriptor: number)
        guard fstat(number, &status) == 0 else {
            throw HostError.file("cannot be examined", path: path)
        }
        try requireFileOrFolder(status, path)
        return (item, status)
    }

    private static func requireFileOrFolder(_ status: stat, _ path: String) throws {
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            throw refusal("\(path) is neither a regular file nor a folder")
        }
    }

    private mutating func names(in folder: OpenFile, _ path: String) throws -> [String] {
        // A new file description, so that the listing starts at the beginning.
        let number = openat(folder.descriptor, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard number >= 0, let listing = fdopendir(number) else {
            throw HostError.file("cannot be read", path: path)
        }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) {
                    String(validatingCString: $0)
                }
            }
            guard let name, name.isName else {
                throw Self.refusal(
                    "\(path) contains a name that is not UTF-8, or has control characters, "
                        + "line separators or bidirectional controls")
            }
            if name == "." || name == ".." { continue }
            countLeft -= 1
            guard countLeft >= 0 else {
                let maximum = ExtensionSizeLimits.installedFiles
                throw Self.refusal("it has more than \(maximum) files and folders")
            }
            names.append(name)
        }
        return names.sorted()
    }

    private mutating func copyFile(
        _ file: OpenFile, to folder: OpenFile, _ name: String, _ status: stat,
        path: String
    ) throws {
        // Checked before writing. The file may still grow while it is read.
        guard status.st_size <= sizeLeft else { throw Self.tooLarge }
        let mode: mode_t = status.st_mode & 0o111 == 0 ? 0o644 : 0o755
        let number = openat(
            folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard number >= 0 else {
            throw HostError.file("cannot be written", path: "the copy of \(path)")
        }
        let copy = OpenFile(descriptor: number)
        var offset = 0
        while true {
            try Task.checkCancellation()
            let part = try file.read(count: 1 << 20, at: offset)
            if part.isEmpty { break }
            sizeLeft -= part.count
            guard sizeLeft >= 0 else { throw Self.tooLarge }
            try copy.copy(part)
            offset += part.count
        }
        try copy.endCopy()
        guard fsync(number) == 0 else {
            throw HostError.file("cannot be written", path: "the copy of \(path)")
        }
    }

    private static var tooLarge: HostError {
        refusal("its files exceed \(ExtensionSizeLimits.total >> 30) GiB in total")
    }

    private static func makeFolder(
        _ name: String, in folder: OpenFile
    ) throws -> OpenFile {
        guard mkdirat(folder.descriptor, name, 0o755) == 0 else {
            throw HostError.file("cannot be created", path: "a folder \(name)")
        }
        let number = openat(
            folder.descriptor, name, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
        guard number >= 0 else {
            throw HostError.file("cannot be opened", path: "a folder \(name)")
        }
        return OpenFile(descriptor: number)
    }

    private static func refusal(_ what: String) -> HostError {
        HostError(.unusableExtension, "the extension cannot be copied: \(what)")
    }
}
