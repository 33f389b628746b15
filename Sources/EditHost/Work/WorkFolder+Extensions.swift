// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import RunnerHost

extension WorkFolder {
    /// The path of the folder that contains the folder of an extension, to be searched by an `ExtensionCatalogue`.
    package func extensionFolder(_ planned: WorkExtension) -> String {
        "\(path)/\(WorkName.extensions)/\(planned.digest.hex)"
    }

    /// Copies an extension byte for byte: its manifest, its library and its `hashedFiles`.
    ///
    /// - Throws: `HostError` with `unusableExtension` if it changed since it was read; `fileFailed`.
    func copy(_ binary: ExtensionBinary, from installed: InstalledExtension) throws -> WorkExtension
    {
        let copied = WorkExtension(
            identifier: binary.manifest.identifier, version: binary.manifest.version,
            digest: WorkHash(binary.digest),
            name: String(installed.path.pathParts.name), trusted: binary.isTrusted,
            readsOriginal: binary.mayReadOriginals)
        let folder = try makeFolder(WorkName.extensions, copied.digest.hex, copied.name)
        let source = try ExtensionFolder(installed.path)
        let names = ["manifest.json", binary.manifest.library] + binary.manifest.hashedFiles
        for name in Set(names) { try write(try source.file(name), as: name, in: folder) }
        let copy = ExtensionCatalogue(searching: [extensionFolder(copied)])
        let trust = ExtensionTrust(shippedFile: nil, folder: nil)
        guard let found = copy.available.first, copied.isSound,
            try ExtensionBinary(reading: found, trust: trust).digest == binary.digest
        else {
            throw HostError(
                .unusableExtension, "the extension was changed while it was copied; try again",
                extension: copied.identifier)
        }
        return copied
    }
}
