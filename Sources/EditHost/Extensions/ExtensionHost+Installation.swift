// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import Glibc
import RunnerHost

extension ExtensionHost {
    /// Copies an extension's folder to the user's extension folder.
    ///
    /// The copy is validated, and its library loaded in a runner, before it gets its final name.
    ///
    /// - Parameters:
    ///   - path: A folder `Name.editingextension`, which may be untrusted.
    ///   - folder: The user's extension folder.
    ///   - replacing: Whether to replace an installed extension with this identifier, whatever its folder is
    ///     named.
    /// - Returns: The installed extension.
    /// - Throws: `HostError` with `unusableExtension`, including if another extension with this identifier precedes
    ///   it in the search order; `noSuchFile`, `badRequest` or `fileFailed`. In that case, nothing is installed.
    public func install(
        _ path: String, into folder: String, replacing: Bool
    ) async throws -> InstalledExtension {
        try await install(path, into: folder, replacing: replacing, from: path)
    }

    /// Copies an extension's folder to the user's extension folder, as ``install(_:into:replacing:)``.
    ///
    /// A build that stays untrusted although the installed one is trusted, or although a trusted publisher signed it,
    /// is logged as a warning.
    ///
    /// - Parameters:
    ///   - origin: The path or URL in messages.
    ///   - publisher: The trusted publisher that signed the extension; nil if there is none.
    ///   - keepingTrust: Whether to throw `badRequest` instead of that warning.
    package func install(
        _ path: String, into folder: String, replacing: Bool, from origin: String,
        signedBy publisher: PublisherKey? = nil, keepingTrust: Bool = false
    ) async throws -> InstalledExtension {
        let source = URL(fileURLWithPath: path).standardizedFileURL.path
        let name = try Self.folderName(of: source, given: origin)
        let part = try InstallationFolder(in: folder)
        let copy = try part.makeFolder(name)
        try ExtensionCopy.copy(source, to: copy)
        let binary = try await check(copy, from: origin)
        let identifier = binary.manifest.identifier
        try requireFirst(identifier, in: folder)
        let target = "\(folder)/\(name)"
        let others = try replaced(identifier, by: target, in: folder, replacing: replacing)
        let isDistrusted = try reportDistrust(
            of: binary, signedBy: publisher, from: origin, keepingTrust: keepingTrust)
        let newPublisher = isDistrusted || binary.isTrusted ? nil : publisher
        // This precedes the move, because a build whose trust cannot be stored must not replace a trusted one.
        if let newPublisher {
            try trust(binary, signedBy: newPublisher, from: origin, keepingTrust: keepingTrust)
        }
        try Self.move(copy, to: target, over: part)
        if let newPublisher {
            // Withdraws the trust in the replaced builds. If it cannot be stored, they remain trusted.
            _ = try? extensions.trust.trust(binary.digest, of: identifier, signedBy: newPublisher)
        }
        for other in others where other != target {
            try? FileManager.default.removeItem(atPath: other)
        }
        return withExtendedLifetime(part) { ExtensionCatalogue.examine(target) }
    }

    /// Returns the name of the source folder, a single path component, for the installed extension.
    private static func folderName(of source: String, given path: String) throws -> String {
        var status = stat()
        guard stat(source, &status) == 0 else {
            throw HostError.file("cannot be found", path: path)
        }
        let name = (source as NSString).lastPathComponent
        guard status.st_mode & S_IFMT == S_IFDIR, ExtensionArchive.isFolderName(name) else {
            throw HostError(
                .unusableExtension,
                "\(path) is not an extension; give a folder with a name like "
                    + "Sepia.editingextension")
        }
        return name
    }

    /// Rejects an extension that another one with its identifier would shadow.
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

    /// Returns the folders of the user's extensions that a new one replaces.
    ///
    /// - Throws: `HostError` with `badRequest` if `replacing` is false, or if the target folder contains
    ///   another extension.
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

    /// Renames the copy to its final name. A replaced extension ends up in the installation's folder, and is
    /// removed with it.
    private static func move(
        _ copy: String, to target: String, over part: InstallationFolder
    ) throws {
        if csandbox_exchange(copy, target) == 0 { return }
        // The target is missing, or the file system cannot exchange two names.
        if errno != ENOENT, rename(target, "\(part.path)/replaced") != 0, errno != ENOENT {
            throw HostError.file("cannot be replaced", path: target)
        }
        guard rename(copy, target) == 0 else {
            throw HostError.output(path: target)
        }
    }

    /// Removes every copy of an extension from the user's extension folder.
    ///
    /// - Parameter name: Its identifier, or the unique last component of it, ignoring case. If its manifest
    ///   cannot be read, the name of its folder.
    /// - Returns: The removed extensions.
    /// - Throws: `HostError` with `noSuchExtension` or `ambiguousExtension`; `badRequest` if it is not in the
    ///   user's folder; `fileFailed`.
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
