// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import FileAccess
import Foundation
import Glibc
import JSONOutput
import Library
import RunnerHost

/// The command `edithost extensions package`.
struct PackageExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "package",
        abstract: "Make an archive of an extension that others can install.",
        discussion: """
            The archive contains the manifest, the library, the hashedFiles and the icon; other \
            files in the folder are omitted. It contains neither owners nor timestamps, so the \
            same files always produce the same archive. An existing archive is replaced. If its \
            contents change, its signature is removed. No code is loaded. With --key, it is signed \
            with a secret key made by minisign -G -W, and the signature is written beside it, with \
            .minisig appended to its name. With --deb, a Debian package is written too, which \
            installs the extension for all users. This needs dpkg-dev. The package's maintainer is \
            the author or the vendor.
            """,
        examples: """
            edithost extensions package Brightness.editingextension
            edithost extensions package Brightness.editingextension --output dist
            edithost extensions package Brightness.editingextension --key example.key
            edithost extensions package Brightness.editingextension --deb
            """)

    @Argument(
        help: ArgumentHelp(
            "A folder named Name.editingextension, or a folder that contains one.",
            valueName: "path"), completion: .directory)
    var path: String

    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: ArgumentHelp(
            "The folder to write to; it is created if it is missing.", valueName: "folder"),
        completion: .directory)
    var folder = "."

    @Option(
        help: ArgumentHelp("Sign the archive with this secret key.", valueName: "file"),
        completion: .file())
    var key: String?

    @Flag(help: "Also write a Debian package, Name-Version.deb.")
    var deb = false

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let source = folder(of: path)
        let installed = ExtensionCatalogue.examine(source)
        guard installed.status == .available, let manifest = installed.manifest else {
            throw HostError(
                .unusableExtension,
                "the extension in \(path) cannot be packaged: \(installed.reason ?? "")")
        }
        let folderName = (source as NSString).lastPathComponent
            .replacingOccurrences(of: ".editingextension", with: "")
        if deb { try ExtensionDebianPackage.check(manifest, named: folderName) }
        let secretKey = try key.map(Self.secretKey)
        let archive = try OpenFile.unnamed()
        try ExtensionArchive.write(installed, to: archive)
        let name = try Self.name(of: source, version: manifest.version)
        let target = "\(folder)/\(name)"
        let signature = try secretKey.map {
            try ArchiveSignature.text(signing: archive, named: name, with: $0)
        }
        let signatureFile = target + ArchiveSignature.suffix
        let hash = try ExtensionArchive.hash(of: archive)
        let isUnchanged = Self.hash(of: target) == hash
        try PhotoLibrary.requireOutsideLibraries(target)
        _ = try NewFile.folder(folder)
        try NewFile.replace(target, with: archive)
        if let signature {
            try Self.write(signature, to: signatureFile)
        } else if try !isUnchanged && Self.removeSignature(signatureFile) {
            general.output.message(
                "removed \(signatureFile), the signature of an earlier archive; use --key to sign this one"
            )
        }
        let package = deb ? "\(target.dropLast(ExtensionArchive.suffix.count)).deb" : nil
        if let package {
            try await ExtensionDebianPackage.write(
                package, archive: target, named: folderName, of: manifest)
        }
        try general.output.print(
            [
                "identifier": manifest.identifier, "version": manifest.version, "path": target,
                "sha256": hash.hex, "publisher": secretKey?.publicKey.name,
                "debianPackage": package,
            ],
            "packaged \(manifest.identifier) in \(target) with SHA-256 \(hash.hex)"
                + (package.map { ", and in \($0)" } ?? ""))
    }

    /// Returns the folder of the extension, which may be in the folder of its sources.
    private func folder(of path: String) -> String {
        let named = URL(fileURLWithPath: path).standardizedFileURL.path
        return (try? ExtensionTrial.extensionFolder(in: path)) ?? named
    }

    private static func secretKey(_ path: String) throws -> PublisherSecretKey {
        let bytes = try OpenFile.readingRegularFile(path).read(count: ArchiveSignature.maximumSize)
        return try PublisherSecretKey(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the hash of an existing archive; nil if there is none that can be read.
    private static func hash(of path: String) -> SHA256Digest? {
        try? ExtensionArchive.hash(of: OpenFile.readingRegularFile(path))
    }

    /// Removes the signature of an earlier archive, which would not be valid for the new one.
    ///
    /// - Returns: Whether there was one.
    private static func removeSignature(_ path: String) throws -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw HostError.file("cannot be removed", path: path)
        }
        return false
    }

    private static func write(_ signature: String, to path: String) throws {
        let file = try OpenFile.unnamed()
        try file.append(Data(signature.utf8))
        try NewFile.replace(path, with: file)
    }

    /// Returns the name of the archive, which contains the names of the folder and of the version.
    private static func name(of folder: String, version: String) throws -> String {
        let name = (folder as NSString).lastPathComponent
            .replacingOccurrences(of: ".editingextension", with: "")
        let archive = "\(name)-\(version)\(ExtensionArchive.suffix)"
        guard !archive.utf8.contains(UInt8(ascii: "/")), archive.isName else {
            throw HostError(
                .badRequest,
                "the version \"\(version)\" cannot be a part of a file name; change it in the manifest"
            )
        }
        return archive
    }
}
