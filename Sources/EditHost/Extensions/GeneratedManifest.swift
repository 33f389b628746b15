// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

extension ExtensionHost {
    /// The manifest that an extension's library makes of its own code, checked as that of an extension is.
    /// The library is loaded and asked in a runner, as one that nobody trusts.
    ///
    /// - Parameters:
    ///   - path: the library.
    ///   - identifier: which of its extensions is meant; nil: it has one.
    /// - Returns: the manifest, with the library's name.
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`; with `unusableExtension` or
    ///   `extensionFailed` where it cannot be loaded or makes no manifest; `InvalidValueError` where it makes one that
    ///   is not usable.
    public func manifest(
        ofLibrary path: String, identifier: String? = nil
    ) async throws -> ExtensionManifest {
        let library = URL(fileURLWithPath: path).standardizedFileURL
        let name = library.lastPathComponent
        let loadedAs = identifier ?? name
        let binary = try ExtensionBinary(ofUnknownLibrary: library.path, loadedAs: loadedAs)
        let made = try await pool.withRunner(loading: [binary]) { runner in
            let reply = try await runner.ask(
                .describe(extensionIdentifier: loadedAs), deadline: runner.deadlines.interactive)
            guard case .manifest(let json) = reply else { throw runner.unexpected(reply) }
            return json
        }
        guard let made else {
            throw HostError(
                .unusableExtension,
                "\(path) makes no manifest of its code: a PhotoFilter in Swift does, with its "
                    + "properties declared as @Parameter", extension: identifier)
        }
        let manifest = try manifest(made, library: name)
        guard identifier == nil || manifest.identifier == identifier else {
            throw HostError(
                .unusableExtension, "\(path) makes the manifest of \(manifest.identifier)",
                extension: identifier)
        }
        return manifest
    }

    private func manifest(_ json: Data, library: String) throws -> ExtensionManifest {
        guard json.count <= ExtensionManifest.maximumSize else {
            throw InvalidValueError.manifest("", "is larger than 1 MiB")
        }
        for key in ExtensionManifest.unknownKeys(in: json) {
            logger.warning("\(library): \(key.at(nil))")
        }
        guard var members = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else {
            throw HostError(
                .unusableExtension, "the manifest that \(library) makes is no JSON object")
        }
        members["library"] = library
        do {
            return try ExtensionManifest(json: JSONSerialization.data(withJSONObject: members))
        } catch let error as InvalidValueError {
            // It stands in no file.
            throw error.at(nil)
        }
    }
}
