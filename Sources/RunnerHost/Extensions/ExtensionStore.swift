// SPDX-License-Identifier: Apache-2.0

import EditingModel
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

    package init(catalogue: ExtensionCatalogue, trust: ExtensionTrust, quarantine: Quarantine) {
        self.catalogue = catalogue
        self.trust = trust
        self.quarantine = quarantine
    }

    /// Returns the binary of an available extension, read at most once.
    ///
    /// - Parameter library: The folder of the photo library that it is run for.
    /// - Throws: `HostError` with `unusableExtension`, including if it is in quarantine for all libraries or for
    ///   this one.
    package func binary(
        of installed: InstalledExtension, for library: String? = nil
    ) throws -> ExtensionBinary {
        var binary = try read(installed)
        binary.servedLibrary = library
        try quarantine.requireNotQuarantined(binary)
        return binary
    }

    /// Returns the binary of an available extension, even if it is in quarantine.
    ///
    /// - Throws: `HostError` with `unusableExtension`.
    package func read(_ installed: InstalledExtension) throws -> ExtensionBinary {
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

    /// Returns an extension with its status after reading its library, which the catalogue does not do. If the
    /// library cannot be used, the extension is unusable.
    package func examined(_ installed: InstalledExtension) -> InstalledExtension {
        guard installed.status == .available else { return installed }
        do {
            _ = try read(installed)
            return installed
        } catch {
            let reason = (error as? HostError)?.message ?? "\(error)"
            return InstalledExtension(
                identifier: installed.identifier, path: installed.path,
                manifest: installed.manifest, manifestHash: installed.manifestHash,
                status: .unusable, reason: reason)
        }
    }

    /// Returns the trust, failures and permissions of an extension; nil if its library cannot be read.
    package func status(of installed: InstalledExtension) -> ExtensionStatus? {
        guard installed.status != .unusable, let binary = try? read(installed) else {
            return nil
        }
        return ExtensionStatus(
            trust: binary.trust,
            wasTrusted: binary.trust == .none
                && trust.trustsAnotherBuild(of: installed.identifier),
            failures: quarantine.entry(of: binary.digest),
            mayReadOriginals: binary.mayReadOriginals)
    }

    /// Returns the binary of the available extension with exactly this identifier.
    ///
    /// - Parameter library: The folder of the photo library that it is run for.
    /// - Throws: `HostError` with `noSuchExtension` or `unusableExtension`.
    package func binary(
        identifier: String, for library: String? = nil
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

    /// Returns the cached answer of an extension's build about a recipe; nil if there is none.
    package func knownAnswer(
        of digest: SHA256Digest, about adjustmentData: AdjustmentData
    ) -> Bool? {
        let question = CanHandleQuestion(extension: digest, adjustmentData: adjustmentData)
        return answers.withLock { $0[question] }
    }

    /// Stores the answer of an extension's build about a recipe.
    package func remember(
        _ answer: Bool, of digest: SHA256Digest, about adjustmentData: AdjustmentData
    ) {
        let question = CanHandleQuestion(extension: digest, adjustmentData: adjustmentData)
        answers.withLock { $0[question] = answer }
    }
}
