// SPDX-License-Identifier: Apache-2.0

import Hashing
import EditingModel
import FileAccess
import Foundation

/// The installed extensions, found without loading their code.
///
/// The folders are searched in order. If several extensions have the same identifier, the first is available
/// and the others are listed as shadowed.
package struct ExtensionCatalogue: Sendable {
    /// All extensions, in search order.
    package let all: [InstalledExtension]

    /// The extensions that can be used.
    package var available: [InstalledExtension] { all.filter { $0.status == .available } }

    /// Searches folders for subfolders named `*.editingextension`.
    package init(searching folders: [String]) {
        var found: [InstalledExtension] = []
        var winners: [String: String] = [:]
        for folder in folders {
            for path in Self.extensionFolders(in: folder)
            where !found.contains(where: { FileName($0.path) == FileName(path) }) {
                let examined = Self.examine(path)
                if examined.status == .available, let winner = winners[examined.identifier] {
                    found.append(examined.shadowed(by: winner))
                } else {
                    if examined.status == .available { winners[examined.identifier] = path }
                    found.append(examined)
                }
            }
        }
        all = found
    }

    private static func extensionFolders(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".editingextension") }.sorted().map { "\(folder)/\($0)" }
    }

    /// Reads the manifest of an extension's folder and checks its compatibility.
    package static func examine(_ path: String) -> InstalledExtension {
        do {
            let folder = try ExtensionFolder(path)
            let (manifest, hash) = try readManifest(in: folder)
            let reason = incompatibility(of: manifest, in: folder)
            return InstalledExtension(
                identifier: manifest.identifier, path: path, manifest: manifest,
                manifestHash: hash, status: reason == nil ? .available : .unusable,
                reason: reason)
        } catch {
            return InstalledExtension(
                identifier: (path as NSString).lastPathComponent, path: path, manifest: nil,
                manifestHash: nil, status: .unusable, reason: "\(error)",
                failure: error as? HostError)
        }
    }

    /// Returns the manifest and the hash of the same bytes.
    private static func readManifest(
        in folder: ExtensionFolder
    ) throws -> (ExtensionManifest, SHA256Digest) {
        let bytes = try folder.file("manifest.json")
            .read(count: ExtensionManifest.maximumSize + 1)
        return (
            try ExtensionManifest(json: bytes), SHA256Digest(bytes: SHA256.hash(data: bytes))
        )
    }

    private static func incompatibility(
        of manifest: ExtensionManifest, in folder: ExtensionFolder
    ) -> String? {
        if let abi = manifest.abiVersion, abi.major != HostVersion.abiMajor {
            return "it was built for version \(manifest.abi) of the contract with extensions; "
                + "this host supports \(HostVersion.abiMajor).\(HostVersion.abiMinor); update "
                + "edithost, or correct \"abi\" in the manifest"
        }
        if let minimum = manifest.minimumHost, !HostVersion.isAtLeast(minimum) {
            return "it needs edithost \(minimum) or later; this is version \(HostVersion.current); "
                + "update edithost, or correct \"minimumHost\" in the manifest"
        }
        do {
            return try SharedLibraryPlatform.mismatch(
                of: try folder.file(manifest.library), named: manifest.library)
        } catch {
            return "its library \(manifest.library) is missing or cannot be read: \(error); "
                + "correct \"library\" in the manifest"
        }
    }

    /// Returns the extension with an identifier, or with its unique last component. Case is ignored.
    ///
    /// - Throws: `HostError` with `noSuchExtension`, `ambiguousExtension` or `unusableExtension`.
    package func installed(named name: String) throws -> InstalledExtension {
        if let match = try Self.match(name, among: available).first { return match }
        let unusable = all.filter { $0.status == .unusable }
        if let unusable = try Self.match(name, among: unusable, byFolder: true).first {
            throw HostError(
                .unusableExtension,
                "the extension \(unusable.identifier) in \(unusable.path) cannot be used: "
                    + (unusable.reason ?? "it is \(unusable.status.rawValue)"),
                extension: unusable.identifier)
        }
        let names = available.map(\.identifier)
        let short = names.map(ExtensionName.shortest)
        let installed = names.isEmpty ? "none" : names.joined(separator: ", ")
        throw HostError(
            .noSuchExtension,
            "there is no extension \"\(name)\"; installed: \(installed)"
                + name.closest(among: short + names).suggestion + brokenExtensions(like: name))
    }

    /// Returns the unusable extensions that may be the one with a name: those with a similar name, and those whose
    /// manifest cannot be read.
    private func brokenExtensions(like name: String) -> String {
        let broken = all.filter { installed in
            let names = [installed.identifier, ExtensionName.shortest(of: installed.identifier)]
            return installed.status == .unusable
                && (installed.manifest == nil || name.closest(among: names) != nil)
        }
        return broken.prefix(3).map {
            "; the one in \($0.path) cannot be used: \($0.reason ?? $0.status.rawValue)"
        }.joined()
    }

    /// Returns the extensions with an identifier, or with its unique last component. Case is ignored.
    ///
    /// - Parameter byFolder: Whether to match the names of their folders too, without the filename extension.
    /// - Returns: The matches, which have the same identifier.
    /// - Throws: `HostError` with `ambiguousExtension` if several identifiers match.
    package static func match(
        _ name: String, among extensions: [InstalledExtension], byFolder: Bool = false
    ) throws -> [InstalledExtension] {
        let extensionName = ExtensionName(name)
        let exact = extensions.filter { extensionName.isWhole($0.identifier) }
        let ending = extensions.filter { extensionName.isSuffix(of: $0.identifier) }
        let folders = extensions.filter { byFolder && extensionName.isFolder($0.path) }
        let matches = [exact, ending, folders].first { !$0.isEmpty } ?? []
        let identifiers = Set(matches.map(\.identifier))
        guard identifiers.count < 2 else {
            let names = identifiers.sorted().joined(separator: ", ")
            throw HostError(
                .ambiguousExtension, "\"\(name)\" is ambiguous; use one of \(names)")
        }
        return matches
    }
}

extension InstalledExtension {
    fileprivate func shadowed(by winner: String) -> InstalledExtension {
        InstalledExtension(
            identifier: identifier, path: path, manifest: manifest, manifestHash: manifestHash,
            status: .shadowed,
            reason: "shadowed by another extension with this identifier: "
                + "\(winner)")
    }
}
