// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import FileAccess
import Foundation
import RunnerHost

/// The option for an index of extensions.
struct ExtensionIndexOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The index: a file, a folder with an index.json, or an https URL.",
            valueName: "path|url"),
        completion: .file())
    var index: String

    /// Returns the extensions in the user's folder of which the index has a newer version.
    func updates() async throws -> [(installed: InstalledExtension, entry: ExtensionIndex.Entry)] {
        let index = try await read()
        let folder = HostConfiguration.userExtensionFolder(
            environment: ProcessInfo.processInfo.environment)
        return ExtensionCatalogue(searching: [folder]).all.compactMap { installed in
            guard installed.status != .shadowed, let manifest = installed.manifest,
                let entry = index.update(
                    of: manifest.identifier, version: manifest.version)
            else { return nil }
            return (installed, entry)
        }
    }

    private func read() async throws -> ExtensionIndex {
        if Download.isURL(index) {
            let file = try await Download.open(index, limit: ExtensionIndex.maximumSize)
            let place = index.hasPrefix("file:") ? file.path : index
            return try ExtensionIndex(
                file.read(count: ExtensionIndex.maximumSize + 1), from: place)
        }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: index, isDirectory: &isFolder)
        let path = exists && isFolder.boolValue ? "\(index)/index.json" : index
        let file = try OpenFile.readingRegularFile(path)
        return try ExtensionIndex(
            file.read(count: ExtensionIndex.maximumSize + 1),
            from: URL(fileURLWithPath: path).standardizedFileURL.path)
    }
}
