// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

/// Which extensions are trusted, by their digests (``ExtensionBinary/digest``): those that came with
/// the host, and those that its user trusts.
///
/// A list of an earlier version, of the hashes of libraries alone, trusts no extension. Extensions that are trusted share
/// a runner and a pipeline. Any other has a runner of its own, and gets and returns nothing but pixels and recipes. Both
/// lists are files as ``DigestList`` reads them; one that cannot be read trusts no extension.
package final class ExtensionTrust: Sendable {
    /// Who trusts an extension.
    package enum Level: String, Sendable {
        /// It came with the host.
        case shipped
        /// The user.
        case user
        /// Nobody.
        case none
    }

    private let shipped: Set<SHA256Digest>
    private let own: DigestList
    private let readers: DigestList

    /// - Parameters:
    ///   - shippedFile: the list that lies beside the host's own extensions.
    ///   - userFile: the user's list; nil: what is trusted is forgotten with this object.
    ///   - readersFile: the list of untrusted extensions that may read originals; nil: as above.
    init(shippedFile: String?, userFile: String?, readersFile: String? = nil) {
        shipped = Set(shippedFile.map { DigestList.read($0).keys.map { $0 } } ?? [])
        own = DigestList(file: userFile)
        readers = DigestList(file: readersFile)
    }

    /// Who trusts the extension of a digest.
    package func level(of digest: SHA256Digest) -> Level {
        if shipped.contains(digest) { return .shipped }
        return own.contains(digest) ? .user : .none
    }

    /// Whether something else of this identifier was trusted: an earlier build of it.
    package func trustsAnotherBuild(of identifier: String) -> Bool { own.names(identifier) }

    /// Trusts the extension of a digest, until ``withdraw(from:)``; it takes the place of earlier
    /// builds.
    ///
    /// - Throws: `HostError` with `fileFailed`; nothing has changed then.
    func trust(_ digest: SHA256Digest, of identifier: String) throws {
        try own.add(digest, of: identifier)
    }

    /// Takes back the user's trust in every build of an extension.
    ///
    /// - Returns: whether there was any.
    /// - Throws: `HostError` with `fileFailed`; nothing has changed then.
    func withdraw(from identifier: String) throws -> Bool { try own.remove(identifier) }

    // MARK: - Originals

    /// Whether the user allowed the extension of a digest to read originals.
    package func mayReadOriginals(_ digest: SHA256Digest) -> Bool { readers.contains(digest) }

    /// Allows the extension of a digest to read originals, until ``forbidOriginals(to:)``.
    ///
    /// - Throws: `HostError` with `fileFailed`; nothing has changed then.
    func allowOriginals(to digest: SHA256Digest, of identifier: String) throws {
        try readers.add(digest, of: identifier)
    }

    /// Takes that back.
    ///
    /// - Returns: whether it was allowed.
    /// - Throws: `HostError` with `fileFailed`; nothing has changed then.
    func forbidOriginals(to identifier: String) throws -> Bool { try readers.remove(identifier) }
}

/// How the host stands to an extension.
package struct ExtensionStanding: Sendable {
    /// Who trusts it.
    package let trust: ExtensionTrust.Level
    /// It is untrusted, but the user trusted an earlier build of it.
    package let wasTrusted: Bool
    /// Its failures since its last success; nil: none.
    package let failures: Quarantine.Entry?

    /// Whether it may read the originals of what it edits.
    package let mayReadOriginals: Bool

    /// Whether it is not run until it is released.
    package var isQuarantined: Bool { failures?.isQuarantined ?? false }
}

extension ExtensionHost {
    /// An extension as it turns out when its library is read, too, which finding it does not do: one whose library cannot
    /// be used is unusable.
    package func examined(_ installed: InstalledExtension) -> InstalledExtension {
        guard installed.status == .available else { return installed }
        do {
            _ = try extensions.read(installed)
            return installed
        } catch {
            let reason = (error as? HostError)?.message ?? "\(error)"
            return InstalledExtension(
                identifier: installed.identifier, path: installed.path,
                manifest: installed.manifest, manifestHash: installed.manifestHash,
                status: .unusable, reason: reason)
        }
    }

    /// How the host stands to an extension; nil where its library cannot be read.
    package func standing(of installed: InstalledExtension) -> ExtensionStanding? {
        guard installed.status != .unusable, let binary = try? extensions.read(installed) else {
            return nil
        }
        return ExtensionStanding(
            trust: binary.trust,
            wasTrusted: binary.trust == .none
                && extensions.trust.trustsAnotherBuild(of: installed.identifier),
            failures: quarantine.entry(of: binary.digest),
            mayReadOriginals: binary.mayReadOriginals)
    }

    /// Allows an untrusted extension to read the originals of what it edits, as it is now; for hosts that are
    /// made afterwards. A trusted one may read them anyway.
    ///
    /// - Parameter name: its identifier, or the unique last part of one.
    /// - Throws: `HostError`, with `badRequest` where its manifest does not ask for that.
    package func allowOriginals(toExtensionNamed name: String) throws -> InstalledExtension {
        let installed = try extensions.catalogue.installed(named: name)
        let binary = try extensions.read(installed)
        guard binary.manifest.readsOriginal || binary.isTrusted else {
            throw HostError(
                .badRequest,
                "\(installed.identifier) does not ask for originals; its manifest has no "
                    + "readsOriginal", extension: installed.identifier)
        }
        if !binary.isTrusted {
            try extensions.trust.allowOriginals(to: binary.digest, of: installed.identifier)
        }
        return installed
    }

    /// Takes that back, for hosts that are made afterwards.
    ///
    /// - Parameter name: its identifier, or the unique last part of that of an installed one.
    /// - Returns: its identifier.
    /// - Throws: `HostError` with `badRequest` where it was not allowed.
    package func forbidOriginals(toExtensionNamed name: String) throws -> String {
        let identifier = (try? extensions.catalogue.installed(named: name))?.identifier ?? name
        guard try extensions.trust.forbidOriginals(to: identifier) else {
            throw HostError(
                .badRequest,
                "\(identifier) is not allowed to read originals, so there is "
                    + "nothing to forbid",
                extension: identifier)
        }
        return identifier
    }

    /// Trusts an extension as it is now, in the user's name: with this very manifest, library and
    /// `hashedFiles`, not another build of it. One that came with the host is trusted already.
    /// A host goes by what it knew when it first read an extension: this is for those made afterwards.
    ///
    /// - Parameter name: its identifier, or the unique last part of one.
    /// - Throws: `HostError`.
    package func trust(extensionNamed name: String) throws -> InstalledExtension {
        let installed = try extensions.catalogue.installed(named: name)
        let binary = try extensions.read(installed)
        if binary.trust != .shipped {
            try extensions.trust.trust(binary.digest, of: installed.identifier)
        }
        return installed
    }

    /// Takes back the user's trust in an extension, whether it is installed still or not, for hosts
    /// that are made afterwards; one that has read it goes on trusting it.
    ///
    /// - Parameter name: its identifier, or the unique last part of that of an installed one.
    /// - Returns: its identifier.
    /// - Throws: `HostError` with `badRequest` where the user does not trust it.
    package func withdrawTrust(fromExtensionNamed name: String) throws -> String {
        let identifier = (try? extensions.catalogue.installed(named: name))?.identifier ?? name
        guard try extensions.trust.withdraw(from: identifier) else {
            let isShipped = extensions.catalogue.available.contains {
                $0.identifier == identifier && standing(of: $0)?.trust == .shipped
            }
            throw HostError(
                .badRequest,
                isShipped
                    ? "\(identifier) is part of edithost and always trusted"
                    : "\(identifier) is not trusted, so there is nothing to withdraw",
                extension: identifier)
        }
        return identifier
    }
}
