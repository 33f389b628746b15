// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Hashing

/// An archive of an extension, `NAME-VERSION.editingextension.tar.gz`: its folder `Name.editingextension` with regular
/// files only.
///
/// Archives are untrusted. The reader accepts only what ``write(_:to:)`` produces, in any order: no links, devices,
/// nested folders or extended headers, and no name twice.
package enum ExtensionArchive {
    /// The end of the names of archives.
    package static let suffix = ".editingextension.tar.gz"

    // MARK: - Writing

    /// Writes the archive of an extension: its manifest, library, `hashedFiles` and icon.
    ///
    /// The same files give the same bytes: the files are sorted by name, and neither their owners, their times nor
    /// other files of the folder are included.
    ///
    /// - Parameters:
    ///   - installed: An examined extension.
    ///   - archive: An empty file.
    /// - Throws: `HostError` with `unusableExtension`, `noSuchFile` or `fileFailed`; `CancellationError`.
    package static func write(_ installed: InstalledExtension, to archive: OpenFile) throws {
        let folderName = (installed.path as NSString).lastPathComponent
        guard let manifest = installed.manifest, isFolderName(folderName) else {
            throw HostError(
                .unusableExtension,
                "\(installed.path) is not an extension; give a folder with a name like "
                    + "Sepia.editingextension")
        }
        let folder = try ExtensionFolder(installed.path)
        let names =
            ["manifest.json", manifest.library] + manifest.hashedFiles
            + (manifest.icon.map { [$0] } ?? [])
        let stream = try GzipFile(writing: archive)
        try stream.write(
            block(TarHeader(path: "\(folderName)/", size: 0, isFolder: true, mode: 0o755)))
        var sizeLeft = ExtensionSizeLimits.total
        for name in Set(names.map(FileName.init)).sorted() {
            try write(
                try folder.file(name.text), as: "\(folderName)/\(name.text)", to: stream,
                sizeLeft: &sizeLeft)
        }
        // Two blocks of zeros end an archive.
        try stream.write(Data(count: 2 * TarHeader.blockSize))
        try stream.finish()
    }

    private static func write(
        _ file: OpenFile, as path: String, to stream: GzipFile, sizeLeft: inout Int
    ) throws {
        let status = try file.hostStatus()
        let size = Int(status.st_size)
        sizeLeft -= size
        guard size <= ExtensionSizeLimits.file, sizeLeft >= 0 else {
            throw HostError(.unusableExtension, "\(file.path) is too large for an archive")
        }
        let mode = status.st_mode & 0o111 == 0 ? 0o644 : 0o755
        try stream.write(
            block(TarHeader(path: path, size: size, isFolder: false, mode: mode)))
        var offset = 0
        while offset < size {
            try Task.checkCancellation()
            let part = try file.read(count: min(1 << 20, size - offset), at: offset)
            guard !part.isEmpty else {
                throw HostError(.fileFailed, "\(path) was changed while it was packaged")
            }
            try stream.write(part)
            offset += part.count
        }
        try stream.write(Data(count: padding(of: size)))
    }

    private static func block(_ header: TarHeader) throws -> Data {
        guard let block = header.block else {
            throw HostError(
                .unusableExtension,
                "the name \(String(decoding: header.path, as: UTF8.self)) is too long for an archive"
            )
        }
        return Data(block)
    }

    // MARK: - Reading

    /// Unpacks an archive into a folder. Nothing in it is run.
    ///
    /// - Parameters:
    ///   - archive: An open regular file.
    ///   - parent: The path of an empty, private folder.
    ///   - limit: The maximum size of all files together, in bytes.
    /// - Returns: The path of the extension's folder.
    /// - Throws: `HostError` with `unusableExtension` and the fault of the archive, or `fileFailed`;
    ///   `CancellationError`.
    package static func unpack(
        _ archive: OpenFile, into parent: String, limit: Int = ExtensionSizeLimits.total
    ) throws -> String {
        guard try archive.byteCount() <= ExtensionSizeLimits.total else { throw tooLarge }
        let stream = try GzipFile(reading: archive)
        var folder: Folder?
        var folderName: String?
        var (countLeft, sizeLeft) = (ExtensionSizeLimits.archivedFiles, limit)
        while let header = try nextHeader(in: stream) {
            let (outer, name) = try checkedNames(of: header)
            guard folderName == nil || folderName.map(FileName.init) == FileName(outer) else {
                throw refusal("it has more than one folder")
            }
            if folder == nil {
                folder = try open {
                    () throws(SystemError) in
                    try Folder(root: parent).makeFolder(outer, mode: 0o755)
                }
                folderName = outer
            } else if name == nil {
                throw refusal("it has the folder \(outer) twice")
            }
            guard let name, let folder else { continue }
            countLeft -= 1
            sizeLeft -= header.size
            guard countLeft >= 0 else {
                throw refusal("it has more than \(ExtensionSizeLimits.archivedFiles) files")
            }
            guard header.size <= ExtensionSizeLimits.file, sizeLeft >= 0 else { throw tooLarge }
            try unpack(header, as: name, to: folder, from: stream)
        }
        try requireEnd(of: stream)
        guard let folderName else { throw refusal("it is empty") }
        return "\(parent)/\(folderName)"
    }

    /// Returns the next header; nil at the end of the archive.
    private static func nextHeader(in stream: GzipFile) throws -> TarHeader? {
        try Task.checkCancellation()
        let block = try stream.read(count: TarHeader.blockSize)
        guard block.count == TarHeader.blockSize else { throw refusal("it is truncated") }
        if block.allSatisfy({ $0 == 0 }) { return nil }
        guard let header = TarHeader(Array(block)) else {
            throw refusal(
                "it has something other than regular files in one folder, or a damaged header; make "
                    + "it with edithost extensions package")
        }
        return header
    }

    /// Returns the name of the extension's folder, and that of a file in it; nil for the folder itself.
    private static func checkedNames(
        of header: TarHeader
    ) throws -> (folder: String, file: String?) {
        guard let path = String(validating: header.path, as: UTF8.self), path.hasNameCharactersOnly
        else {
            throw refusal("it has a name that is not UTF-8, or has control characters")
        }
        var parts = path.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        if header.isFolder, parts.last == "" { parts.removeLast() }
        let hasRightDepth = parts.count == (header.isFolder ? 1 : 2)
        guard hasRightDepth, let outer = parts.first, isFolderName(outer),
            !parts.contains(where: { ["", ".", ".."].contains($0) })
        else {
            throw refusal("it has \(path), which is not a file in a folder Name.editingextension")
        }
        return (outer, header.isFolder ? nil : parts[1])
    }

    private static func unpack(
        _ header: TarHeader, as name: String, to folder: Folder, from stream: GzipFile
    ) throws {
        let mode: mode_t = header.mode & 0o111 == 0 ? 0o644 : 0o755
        let file = try open {
            () throws(SystemError) in try folder.makeFile(name, mode: mode)
        }
        var left = header.size
        while left > 0 {
            try Task.checkCancellation()
            let part = try stream.read(count: min(left, 1 << 20))
            guard !part.isEmpty else { throw refusal("it is truncated") }
            try file.copy(part)
            left -= part.count
        }
        try file.endCopy()
        let padding = padding(of: header.size)
        guard try stream.read(count: padding).count == padding else {
            throw refusal("it is truncated")
        }
    }

    /// Returns the SHA-256 of an archive.
    package static func hash(of archive: OpenFile) throws -> SHA256Digest {
        var hash = SHA256()
        var offset = 0
        while true {
            let part = try archive.read(count: 1 << 20, at: offset)
            if part.isEmpty { return SHA256Digest(bytes: hash.finalize()) }
            hash.update(data: part)
            offset += part.count
        }
    }

    private static func open<Item>(_ body: () throws(SystemError) -> Item) throws -> Item {
        do throws(SystemError) {
            return try body()
        } catch {
            guard error.number == EEXIST else {
                throw HostError.file("cannot be created", path: "a file of the archive", error)
            }
            throw refusal("it has a file twice")
        }
    }

    /// Reads the rest of the archive, so that zlib compares its checksum.
    private static func requireEnd(of stream: GzipFile) throws {
        var left = ExtensionSizeLimits.padding
        while true {
            let part = try stream.read(count: 1 << 16)
            if part.isEmpty { return }
            left -= part.count
            guard left >= 0, part.allSatisfy({ $0 == 0 }) else {
                throw refusal("it has data after its end")
            }
        }
    }

    /// The number of zeros after contents of a size.
    private static func padding(of size: Int) -> Int {
        (TarHeader.blockSize - size % TarHeader.blockSize) % TarHeader.blockSize
    }

    /// Returns whether the folder of an extension can have a name.
    package static func isFolderName(_ name: String) -> Bool {
        name.hasSuffix(".editingextension") && name.utf8.first != UInt8(ascii: ".")
            && !name.utf8.contains(UInt8(ascii: "/")) && name.isName
    }

    private static var tooLarge: HostError {
        refusal(
            "it has a file of more than \(ExtensionSizeLimits.file >> 30) GiB, or exceeds "
                + "\(ExtensionSizeLimits.total >> 30) GiB in total")
    }

    private static func refusal(_ what: String) -> HostError {
        HostError(.unusableExtension, what)
    }
}
