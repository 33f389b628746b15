// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

extension ExtensionHost {
    /// Copies an extension's folder to where the user's extensions are, after it was checked and
    /// its library was loaded in a runner.
    ///
    /// - Parameters:
    ///   - path: a folder `Name.editingextension`.
    ///   - folder: the user's extension folder.
    ///   - replacing: replace an extension of this name that is there.
    /// - Returns: the extension in its new place.
    /// - Throws: `HostError` with `unusableExtension`, `noSuchFile`, `badRequest` or
    ///   `fileFailed`; nothing is installed then.
    public func install(
        _ path: String, into folder: String, replacing: Bool
    ) async throws -> InstalledExtension {
        let source = URL(fileURLWithPath: path).standardizedFileURL
        guard FileManager.default.fileExists(atPath: source.path) else {
            throw HostError(.noSuchFile, "there is no \(path)")
        }
        guard source.pathExtension == "editingextension" else {
            throw HostError(
                .unusableExtension, "\(path) is not a folder named Name.editingextension")
        }
        try await check(source.path)
        let target = "\(folder)/\(source.lastPathComponent)"
        try copy(source.path, to: target, replacing: replacing)
        return ExtensionCatalogue.examine(target)
    }

    /// Reads an extension's manifest and loads its library in a runner.
    private func check(_ path: String) async throws {
        let examined = ExtensionCatalogue.examine(path)
        guard examined.status == .available else {
            throw HostError(
                .unusableExtension,
                "the extension in \(path) cannot be used: \(examined.reason ?? "")",
                extension: examined.identifier)
        }
        let binary = try ExtensionBinary(reading: examined, trust: extensions.trust)
        try await pool.withRunner(loading: [binary]) { _ in }
    }

    private func copy(_ source: String, to target: String, replacing: Bool) throws {
        let files = FileManager.default
        if files.fileExists(atPath: target), !replacing {
            throw HostError(
                .badRequest, "\(target) is there already; replace it with --replace, or remove it")
        }
        let part = target + ".part-\(UUID().uuidString)"
        do {
            try files.createDirectory(
                atPath: (target as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try files.copyItem(atPath: source, toPath: part)
            if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
            try files.moveItem(atPath: part, toPath: target)
        } catch {
            try? files.removeItem(atPath: part)
            throw HostError(
                .fileFailed, "\(target) cannot be written: \(error.localizedDescription)",
                underlying: error)
        }
    }

    /// Removes an extension from the user's extension folder.
    ///
    /// - Throws: `HostError` with `noSuchExtension`, or `badRequest` where it is not the user's.
    public func removeExtension(
        named name: String, from folder: String
    ) throws -> InstalledExtension {
        let lowered = name.lowercased()
        let own = extensions.catalogue.all.filter { $0.path.hasPrefix(folder + "/") }
        let match = own.first {
            $0.identifier.lowercased() == lowered
                || $0.identifier.lowercased().hasSuffix(".\(lowered)")
                || $0.path.lowercased() == "\(folder.lowercased())/\(lowered).editingextension"
        }
        guard let match else {
            let other = try extensions.catalogue.installed(named: name)
            throw HostError(
                .badRequest,
                "\(other.identifier) is not one of your own extensions: it lies in \(other.path)",
                extension: other.identifier)
        }
        do {
            try FileManager.default.removeItem(atPath: match.path)
        } catch {
            throw HostError(
                .fileFailed, "\(match.path) cannot be removed: \(error.localizedDescription)",
                underlying: error)
        }
        return match
    }
}
