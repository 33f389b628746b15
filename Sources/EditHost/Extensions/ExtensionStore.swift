// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

/// The catalogue, and the binaries of those extensions that were used, each read once.
package final class ExtensionStore: Sendable {
    /// What is installed.
    package let catalogue: ExtensionCatalogue
    /// Which of them are trusted.
    package let trust: ExtensionTrust

    private let quarantine: Quarantine

    private let binaries = Mutex<[String: Result<ExtensionBinary, HostError>]>([:])
    private let answers = Mutex<[CanHandleQuestion: Bool]>([:])

    init(catalogue: ExtensionCatalogue, trust: ExtensionTrust, quarantine: Quarantine) {
        self.catalogue = catalogue
        self.trust = trust
        self.quarantine = quarantine
    }

    /// The binary of an available extension.
    ///
    /// - Parameter library: what it is run for.
    /// - Throws: `HostError` with `unusableExtension`, also where it is in quarantine, for all libraries or this one.
    package func binary(
        of installed: InstalledExtension, for library: PhotoLibrary? = nil
    ) throws -> ExtensionBinary {
        var binary = try read(installed)
        binary.servedLibrary = library?.path
        try quarantine.requireNotQuarantined(binary)
        return binary
    }

    /// The binary of an available extension, whether it may be run or not.
    ///
    /// - Throws: `HostError` with `unusableExtension`.
    func read(_ installed: InstalledExtension) throws -> ExtensionBinary {
        try binaries.withLock { binaries in
            if let known = binaries[installed.path] { return known }
            let read = Result { try ExtensionBinary(reading: installed, trust: trust) }
                .mapError { error in
                    error as? HostError
                        ?? HostError(.unusableExtension, "\(error)", underlying: error)
                }
            binaries[installed.path] = read
            return read
        }.get()
    }

    /// The binary of the available extension with exactly this identifier.
    ///
    /// - Parameter library: what it is run for.
    /// - Throws: `HostError` with `noSuchExtension` or `unusableExtension`.
    package func binary(
        identifier: String, for library: PhotoLibrary? = nil
    ) throws -> ExtensionBinary {
        guard let installed = catalogue.available.first(where: { $0.identifier == identifier })
        else {
            if let unusable = catalogue.all.first(where: { $0.identifier == identifier }) {
                throw HostError(
                    .unusableExtension,
                    "cannot be used" + (unusable.reason.map { ": \($0)" } ?? ""),
                    extension: identifier)
            }
            throw HostError(
                .noSuchExtension, "the extension \(identifier) is not installed",
                extension: identifier)
        }
        return try binary(of: installed, for: library)
    }

    /// What is asked with `canHandle`: an extension, by its digest, about a recipe.
    struct CanHandleQuestion: Hashable {
        let `extension`: SHA256Digest
        let adjustmentData: AdjustmentData
    }

    func knownAnswer(to question: CanHandleQuestion) -> Bool? {
        answers.withLock { $0[question] }
    }

    func remember(_ answer: Bool, to question: CanHandleQuestion) {
        answers.withLock { $0[question] = answer }
    }
}
