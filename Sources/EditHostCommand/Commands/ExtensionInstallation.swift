// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import FileAccess
import Foundation
import Glibc
import JSONOutput
import Library
import RunnerHost

/// The installation of an extension from a folder, an archive or a URL.
struct ExtensionInstallation: Sendable {
    /// The path of a folder or an archive, or the URL of an archive.
    let path: String
    /// The SHA-256 that the archive must have.
    var sha256: SHA256Digest?
    /// The entry of an index that the extension must match; `nil` accepts any.
    var entry: ExtensionIndex.Entry?
    /// Whether to replace an installed extension with the same identifier.
    var replace = false
    /// Whether to replace it even if the new version cannot read recipes in the library.
    var force = false
    let libraryOptions: LibraryOptions
    let general: GeneralOptions

    /// The maximum size in bytes of a page that a server sends instead of a signature.
    private static let maximumPageSize = 1 << 20

    /// Installs the extension, and prints it together with the consequences for the recipes in the library.
    func run() async throws {
        let folder = HostConfiguration.userExtensionFolder(
            environment: ProcessInfo.processInfo.environment)
        let unpacked = try await Interruption().run { try await unpackedArchive(in: folder) }
        let source = try unpacked?.path ?? ExtensionTrial.extensionFolder(in: path)
        try requireEntry(of: source)
        let recipes = try storedRecipes(of: source, replacingIn: folder)
        if let recipes, recipes.unreadable > 0, !force { try confirm(losing: recipes.unreadable) }
        let (installed, isUntrusted) = try await general.withHost(
            interruption: Interruption()
        ) { host in
            let installed = try await host.install(
                source, into: folder, replacing: replace, from: path,
                signedBy: unpacked?.publisher, keepingTrust: entry != nil)
            let trust = host.extensions.status(of: installed)?.trust
            return (installed, trust == ExtensionTrust.Level.none)
        }
        try general.output.print(
            installed.row(reason: installed.reason),
            "installed \(installed.identifier) in \(installed.path)")
        if isUntrusted, entry == nil {
            try general.output.printText([
                "It runs untrusted, which suffices for editing: it gets pixels, not the photo's file. To "
                    + "trust it, run edithost extensions trust \(installed.identifier)"
            ])
        }
        if let recipes { report(recipes, installed.identifier) }
    }

    /// Asks at the terminal whether to replace a version although edits cannot be changed afterwards.
    ///
    /// - Throws: `HostError` if there is no terminal; `CommandEnd` if the answer is no.
    private func confirm(losing recipes: Int) throws {
        let consequence =
            "\(recipes.counted("recipe")) of this extension in \(libraryOptions.path) are in formats "
            + "that the version in \(path) does not read, so those edits could not be changed or "
            + "rendered again"
        guard entry == nil, TerminalQuestion.canBeAsked else {
            let force = entry == nil ? "--force" : "edithost extensions install --replace --force"
            throw HostError(.badRequest, "\(consequence); use \(force) to replace it anyway")
        }
        general.output.message(consequence)
        guard TerminalQuestion.ask("Replace it anyway?") == true else {
            throw CommandEnd(status: .interrupted, message: "nothing was installed")
        }
    }

    /// An index is not signed. Without this check, it could offer an old signed archive as a new version.
    private func requireEntry(of source: String) throws {
        guard let entry, let manifest = ExtensionCatalogue.examine(source).manifest,
            (manifest.identifier, manifest.version) != (entry.identifier, entry.version)
        else { return }
        throw HostError(
            .unusableExtension,
            "\(path) contains \(manifest.identifier) \(manifest.version), not "
                + "\(entry.identifier) \(entry.version), as the index says",
            extension: entry.identifier)
    }

    /// Returns the unpacked archive; nil if the argument is a folder.
    ///
    /// - Parameter folder: The folder that it is installed into.
    private func unpackedArchive(in folder: String) async throws -> UnpackedExtension? {
        guard let file = try await archiveFile() else {
            guard sha256 == nil else {
                throw HostError(
                    .badRequest, "--sha256 is the hash of an archive, but \(path) is not a file")
            }
            return nil
        }
        let signature = try await signature()
        let trusted = try await general.withHost { $0.extensions.trust.publishers }
        if let signature, !trusted.contains(where: { $0.name == signature.keyName }) {
            general.output.message(
                "the signature of \(path) names the key \(signature.keyName), which you do not trust"
            )
        }
        return try UnpackedExtension(
            file, expecting: sha256, signature: signature, by: trusted, in: folder)
    }

    /// Returns the open archive; nil if the argument is a folder or another item that is not a file.
    private func archiveFile() async throws -> OpenFile? {
        if Download.isURL(path) {
            return try await Download.open(path, limit: ExtensionSizeLimits.total)
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw HostError.file("cannot be found", path: path)
        }
        guard FileKind(status) == .regularFile else { return nil }
        return try OpenFile.readingRegularFile(path)
    }

    /// Returns the signature beside the archive; nil if there is none, with a warning if there is another file in its
    /// place. Some servers answer with a page instead of the status 404.
    private func signature() async throws -> ArchiveSignature? {
        let place = path + ArchiveSignature.suffix
        do {
            let file =
                Download.isURL(path)
                ? try await Download.open(
                    place, limit: Self.maximumPageSize, isOptional: true)
                : try OpenFile.readingRegularFile(place)
            let bytes = try file.read(count: ArchiveSignature.maximumSize)
            let text = String(decoding: bytes, as: UTF8.self)
            guard ArchiveSignature.isSignature(text) else {
                general.output.message(
                    "\(place) is not a signature in the format of minisign, so \(path) counts as unsigned"
                )
                return nil
            }
            return try ArchiveSignature(text)
        } catch let error as HostError where error.code == .noSuchFile {
            return nil
        }
    }

    /// Returns the consequences of the new version for the library's recipes; nil if there is no library, or if nothing
    /// is replaced.
    ///
    /// - Parameters:
    ///   - source: The folder of the new version.
    ///   - folder: The folder that it is installed into.
    private func storedRecipes(
        of source: String, replacingIn folder: String
    ) throws -> AffectedRecipes? {
        guard replace, let manifest = ExtensionCatalogue.examine(source).manifest,
            let installed = ExtensionCatalogue(searching: [folder]).all.first(where: {
                $0.identifier == manifest.identifier
            })?.manifest,
            libraryOptions.library != nil
                || FileManager.default.fileExists(atPath: libraryOptions.path)
        else { return nil }
        do {
            return try AffectedRecipes(
                for: manifest, replacing: installed, in: libraryOptions.open(for: .reading))
        } catch let error as LibraryError where libraryOptions.library == nil {
            // Extensions can be installed without a usable library.
            general.output.message("the recipes in the library were not checked: \(error)")
            return nil
        }
    }

    private func report(_ recipes: AffectedRecipes, _ identifier: String) {
        if recipes.waiting > 0 {
            general.output.message(
                "\(recipes.waiting.counted("photo")) have recipes in an older format; run "
                    + "edithost extensions upgrade \(identifier) to rewrite them")
        }
        if recipes.unreadable > 0 {
            general.output.message(
                "\(recipes.unreadable.counted("recipe")) cannot be changed or rendered again with "
                    + "this version")
        }
    }
}
