// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import Glibc

extension ExtensionHost {
    /// Copies an extension's folder to where the user's extensions are. The copy is checked, and its
    /// library loaded in a runner, before it gets its name.
    ///
    /// - Parameters:
    ///   - path: a folder `Name.editingextension`, whoever it belongs to.
    ///   - folder: the user's extension folder.
    ///   - replacing: replace an extension of this identifier that is there, however its folder is
    ///     named.
    /// - Returns: the extension in its new place.
    /// - Throws: `HostError` with `unusableExtension`, also where another of this identifier comes
    ///   first, `noSuchFile`, `badRequest` or `fileFailed`; nothing is installed then.
    public func install(
        _ path: String, into folder: String, replacing: Bool
    ) async throws -> InstalledExtension {
        let source = URL(fileURLWithPath: path).standardizedFileURL.path
        let name = try Self.folderName(of: source, given: path)
        let part = try InstallationFolder(in: folder)
        let copy = try part.makeFolder(name)
        try ExtensionCopy.copy(source, to: copy)
        let identifier = try await check(copy, from: path)
        try requireFirst(identifier, in: folder)
        let target = "\(folder)/\(name)"
        let others = try replaced(identifier, by: target, in: folder, replacing: replacing)
        try Self.move(copy, to: target, over: part)
        for other in others where other != target {
            try? FileManager.default.removeItem(atPath: other)
        }
        return withExtendedLifetime(part) { ExtensionCatalogue.examine(target) }
    }

    /// The name that an extension's folder gets: that of its source, a single component.
    private static func folderName(of source: String, given path: String) throws -> String {
        var status = stat()
        guard stat(source, &status) == 0 else {
            throw HostError.file("cannot be found", path: path)
        }
        let name = (source as NSString).lastPathComponent
        guard status.st_mode & S_IFMT == S_IFDIR, name.hasSuffix(".editingextension"),
            name.utf8.first != UInt8(ascii: "."), !name.utf8.contains(UInt8(ascii: "/")),
            name.isName
        else {
            throw HostError(
                .unusableExtension,
                "\(path) is not an extension; give a folder with a name like "
                    + "Sepia.editingextension")
        }
        return name
    }

    /// An extension that another of its identifier would shadow is not installed.
    private func requireFirst(_ identifier: String, in folder: String) throws {
        let earlier = configuration.extensionFolders.prefix { !Self.isSame($0, folder) }
        guard earlier.count < configuration.extensionFolders.count,
            let winner = ExtensionCatalogue(searching: Array(earlier)).available.first(where: {
                $0.identifier == identifier
            })
        else { return }
        throw HostError(
            .unusableExtension,
            "\(identifier) was not installed, because the one in \(winner.path) comes first; "
                + "remove that one, or its folder from EDITHOST_EXTENSION_PATH",
            extension: identifier)
    }

    private static func isSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        return path == other
            || stat(path, &one) == 0 && stat(other, &two) == 0
                && (one.st_dev, one.st_ino) == (two.st_dev, two.st_ino)
    }

    /// The folders of the user's extensions whose place a new one takes.
    ///
    /// - Throws: `HostError` with `badRequest` where that was not asked for, or where the folder is
    ///   another extension's.
    private func replaced(
        _ identifier: String, by target: String, in folder: String, replacing: Bool
    ) throws -> [String] {
        let own = ExtensionCatalogue(searching: [folder]).all
        if let other = own.first(where: { $0.path == target }), other.manifest != nil,
            other.identifier != identifier
        {
            throw HostError(
                .badRequest,
                "\(target) holds another extension, \(other.identifier), and is not replaced; "
                    + "remove it first, or rename the folder that you install",
                extension: identifier)
        }
        let found = own.filter { $0.identifier == identifier || $0.path == target }.map(\.path)
        var status = stat()
        let isTaken = lstat(target, &status) == 0
        guard replacing || found.isEmpty && !isTaken else {
            let obstacle =
                found.first.map { "\(identifier) is already installed in \($0)" }
                ?? "\(target) already exists"
            throw HostError(
                .badRequest, "\(obstacle); use --replace, or remove it first",
                extension: identifier)
        }
        return found
    }

    /// Gives the copy its name; what had it is in the installation's folder afterwards, and goes
    /// with that.
    private static func move(
        _ copy: String, to target: String, over part: InstallationFolder
    ) throws {
        if csandbox_exchange(copy, target) == 0 { return }
        // Nothing is there, or the file system cannot exchange two names.
        if errno != ENOENT, rename(target, "\(part.path)/replaced") != 0, errno != ENOENT {
            throw HostError.file("cannot be replaced", path: target)
        }
        guard rename(copy, target) == 0 else {
            throw HostError.file("cannot be written", path: target)
        }
    }

    /// Removes an extension from the user's extension folder, every copy of it there.
    ///
    /// - Parameter name: its identifier, or the unique last part of it, in any case; where its
    ///   manifest cannot be read, the name of its folder.
    /// - Returns: what was removed.
    /// - Throws: `HostError` with `noSuchExtension` or `ambiguousExtension`, or `badRequest` where
    ///   it is not the user's; `fileFailed`.
    public func removeExtension(
        named name: String, from folder: String
    ) throws -> [InstalledExtension] {
        let own = extensions.catalogue.all.filter {
            ($0.path as NSString).deletingLastPathComponent == folder
        }
        let matches = try ExtensionCatalogue.match(
            name, among: own.filter { $0.manifest != nil })
        let found =
            try matches.isEmpty
            ? ExtensionCatalogue.match(
                name, among: own.filter { $0.manifest == nil }, byFolder: true)
            : matches
        guard !found.isEmpty else {
            let other = try extensions.catalogue.installed(named: name)
            throw HostError(
                .badRequest,
                "\(other.identifier) cannot be removed: it is not in your own extension "
                    + "folder, but in \(other.path)",
                extension: other.identifier)
        }
        for match in found {
            do {
                try FileManager.default.removeItem(atPath: match.path)
            } catch {
                throw HostError(
                    .fileFailed,
                    "\(match.path) cannot be removed: \(error.localizedDescription)",
                    underlying: error)
            }
        }
        return found
    }
}

/// A folder beside the user's extensions, in which one is put together before it gets its name.
///
/// It is locked as long as its host lives, so that others can tell what a host that was killed has
/// left behind.
final class InstallationFolder: Sendable {
    private static let prefix = ".installing-"

    let path: String
    private let lock: OpenFile

    /// - Parameter parent: the user's extension folder, which is made where it is not there.
    /// - Throws: `HostError` with `fileFailed`.
    init(in parent: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true)
        } catch {
            throw HostError(
                .fileFailed,
                "the folder \(parent) cannot be created: "
                    + "\(error.localizedDescription)",
                underlying: error)
        }
        Self.removeAbandoned(in: parent)
        var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw HostError.file("cannot be created", path: "a folder in \(parent)")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = try OpenFile.reading(path, flags: O_DIRECTORY)
        _ = flock(lock.descriptor, LOCK_SH | LOCK_NB)
    }

    /// A folder in it, empty.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func makeFolder(_ name: String) throws -> String {
        let folder = "\(path)/\(name)"
        guard mkdir(folder, 0o755) == 0 else {
            throw HostError.file("cannot be created", path: folder)
        }
        return folder
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Young ones are spared: theirs may be about to be locked.
    private static func removeAbandoned(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            var status = stat()
            guard
                let folder = try? OpenFile.reading(path, flags: O_DIRECTORY | O_NOFOLLOW),
                fstat(folder.descriptor, &status) == 0, status.st_uid == geteuid(),
                time(nil) - status.st_mtim.tv_sec > 60,
                flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
