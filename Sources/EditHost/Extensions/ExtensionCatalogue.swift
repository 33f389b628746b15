// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

/// The extensions that are installed, found without loading any of their code.
///
/// The folders are searched in order; of two extensions of one identifier the first wins, and the
/// other is listed as shadowed.
public struct ExtensionCatalogue: Sendable {
    /// Every extension found, in the order of the search.
    public let all: [InstalledExtension]

    /// Those that can be used.
    public var available: [InstalledExtension] { all.filter { $0.status == .available } }

    /// Looks into folders for subfolders named `*.editingextension`.
    public init(searching folders: [String]) {
        var found: [InstalledExtension] = []
        var winners: [String: String] = [:]
        for folder in folders {
            for path in Self.extensionFolders(in: folder)
            where !found.contains(where: { $0.path == path }) {
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

    /// Reads one extension's folder.
    static func examine(_ path: String) -> InstalledExtension {
        do {
            let manifest = try readManifest(in: path)
            if let reason = incompatibility(of: manifest, in: path) {
                return InstalledExtension(
                    identifier: manifest.identifier, path: path, manifest: manifest,
                    status: .unusable, reason: reason)
            }
            return InstalledExtension(
                identifier: manifest.identifier, path: path, manifest: manifest,
                status: .available, reason: nil)
        } catch {
            return InstalledExtension(
                identifier: (path as NSString).lastPathComponent, path: path, manifest: nil,
                status: .unusable, reason: "\(error)")
        }
    }

    private static func readManifest(in path: String) throws -> ExtensionManifest {
        let file = try OwnedDescriptor(readingFile: "\(path)/manifest.json", flags: O_NONBLOCK)
        return try ExtensionManifest(
            json: try file.read(count: ExtensionManifest.maximumSize + 1))
    }

    private static func incompatibility(of manifest: ExtensionManifest, in path: String) -> String?
    {
        if let abi = manifest.abiVersion, abi.major != HostVersion.abiMajor {
            return "it was built for version \(manifest.abi) of the plug-in contract; "
                + "this host speaks \(HostVersion.abiMajor).\(HostVersion.abiMinor)"
        }
        if let minimum = manifest.minimumHost, !HostVersion.isAtLeast(minimum) {
            return "it needs edithost \(minimum) or later; this is \(HostVersion.current)"
        }
        if access("\(path)/\(manifest.library)", R_OK) != 0 {
            return "its library \(manifest.library) is missing or cannot be read"
        }
        return nil
    }

    /// The extension with an identifier, or with the unique last part of one, in any case.
    ///
    /// - Throws: `HostError` with `noSuchExtension`, `ambiguousExtension` or
    ///   `unusableExtension`, saying why.
    public func installed(named name: String) throws -> InstalledExtension {
        let lowered = name.lowercased()
        let matches = { (candidate: InstalledExtension) in
            let identifier = candidate.identifier.lowercased()
            return identifier == lowered || identifier.hasSuffix("." + lowered)
        }
        let exact = available.filter { $0.identifier.lowercased() == lowered }
        let usable = exact.isEmpty ? available.filter(matches) : exact
        if let match = usable.first, usable.count == 1 { return match }
        guard usable.isEmpty else {
            let names = usable.map(\.identifier).joined(separator: ", ")
            throw HostError(
                .ambiguousExtension, "\"\(name)\" could be any of \(names); say which")
        }
        let folder = "/\(lowered).editingextension"
        if let unusable = all.first(where: {
            $0.status == .unusable && (matches($0) || $0.path.lowercased().hasSuffix(folder))
        }) {
            throw HostError(
                .unusableExtension,
                "the extension \(unusable.identifier) in \(unusable.path) cannot be used: "
                    + (unusable.reason ?? "it is \(unusable.status.rawValue)"),
                extension: unusable.identifier)
        }
        let names = available.map(\.identifier).joined(separator: ", ")
        throw HostError(
            .noSuchExtension,
            "there is no extension \"\(name)\"; installed are: \(names.isEmpty ? "none" : names)")
    }
}

extension InstalledExtension {
    fileprivate func shadowed(by winner: String) -> InstalledExtension {
        InstalledExtension(
            identifier: identifier, path: path, manifest: manifest, status: .shadowed,
            reason: "another of this identifier comes first: \(winner)")
    }
}
