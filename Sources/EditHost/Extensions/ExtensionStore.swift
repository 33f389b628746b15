// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

/// The catalogue of extensions, with a cache of the binaries and of their answers.
package final class ExtensionStore: Sendable {
    /// The installed extensions.
    package let catalogue: ExtensionCatalogue
    /// The trust lists of the user and of the host.
    package let trust: ExtensionTrust

    private let quarantine: Quarantine

    private let binaries = Mutex<[String: Result<ExtensionBinary, HostError>]>([:])
    private let answers = Mutex<[CanHandleQuestion: Bool]>([:])

    init(catalogue: ExtensionCatalogue, trust: ExtensionTrust, quarantine: Quarantine) {
        self.catalogue = catalogue
        self.trust = trust
        self.quarantine = quarantine
    }

    /// Returns the binary of an available extension, read at most once.
    ///
    /// - Parameter library: the photo library that it is run for.
    /// - Throws: `HostError` with `unusableExtension`, also if it is in quarantine for all libraries or for
    ///   this one.
    package func binary(
        of installed: InstalledExtension, for library: PhotoLibrary? = nil
    ) throws -> ExtensionBinary {
        var binary = try read(installed)
        binary.servedLibrary = library?.path
        try quarantine.requireNotQuarantined(binary)
        return binary
    }

    /// Returns the binary of an available extension, even if it is in quarantine.
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

    /// Returns the binary of the available extension with exactly this identifier.
    ///
    /// - Parameter library: the photo library that it is run for.
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

    /// The cache key of a `canHandle` answer.
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
