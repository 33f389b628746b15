// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Synchronization

/// Which extensions are trusted, by their digests (``ExtensionBinary/digest``): those that came with
/// the host, and those that its user trusts.
///
/// A list of an earlier version, of the hashes of libraries alone, trusts nobody. Extensions that are trusted share a runner and a pipeline. Any other has a runner of its own,
/// and gets and returns nothing but pixels and recipes. Both lists are files of lines as
/// `sha256sum` writes them; what cannot be read trusts nobody.
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
    private let file: String?
    private let own: Mutex<[SHA256Digest: String]>

    /// - Parameters:
    ///   - shippedFile: the list that lies beside the host's own extensions.
    ///   - userFile: the user's list; nil: what is trusted is forgotten with this object.
    init(shippedFile: String?, userFile: String?) {
        shipped = Set(shippedFile.map { Self.read($0).keys.map { $0 } } ?? [])
        file = userFile
        own = Mutex(userFile.map(Self.read) ?? [:])
    }

    /// Who trusts the extension of a digest.
    package func level(of digest: SHA256Digest) -> Level {
        if shipped.contains(digest) { return .shipped }
        return own.withLock { $0[digest] } == nil ? .none : .user
    }

    /// Whether something else of this identifier was trusted: an earlier build of it.
    package func trustsAnotherBuild(of identifier: String) -> Bool {
        own.withLock { $0.values.contains(identifier) }
    }

    /// Trusts the extension of a digest, until ``withdraw(from:)``; it takes the place of earlier
    /// builds.
    ///
    /// - Throws: `HostError` with `fileFailed`; nothing has changed then.
    func trust(_ digest: SHA256Digest, of identifier: String) throws {
        try change { trusted in
            trusted = trusted.filter { $0.value != identifier }
            trusted[digest] = identifier
        }
    }

    /// Takes back the user's trust in every build of an extension.
    ///
    /// - Returns: whether there was any.
    /// - Throws: `HostError` with `fileFailed`; nothing has changed then.
    func withdraw(from identifier: String) throws -> Bool {
        var found = false
        try change { trusted in
            found = trusted.values.contains(identifier)
            trusted = trusted.filter { $0.value != identifier }
        }
        return found
    }

    private func change(_ body: (inout [SHA256Digest: String]) -> Void) throws {
        try own.withLock { own in
            guard let file else { return body(&own) }
            var trusted: [SHA256Digest: String] = [:]
            try SharedFile(path: file).replace { stored in
                trusted = Self.parse(stored)
                body(&trusted)
                return Data(
                    trusted.map { "\($0.key.hex)  \($0.value)\n" }.sorted().joined().utf8)
            }
            own = trusted
        }
    }

    private static func read(_ path: String) -> [SHA256Digest: String] {
        guard let file = try? OpenFile.readingRegularFile(path),
            let text = try? file.read(count: SharedFile.maximumBytes)
        else { return [:] }
        return parse(text)
    }

    private static func parse(_ text: Data) -> [SHA256Digest: String] {
        var found: [SHA256Digest: String] = [:]
        for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let hash = SHA256Digest(hex: String(parts[0])) else { continue }
            found[hash] = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " *"))
        }
        return found
    }
}

/// How the host stands to an extension.
package struct ExtensionStanding: Sendable {
    /// Who trusts it.
    package let trust: ExtensionTrust.Level
    /// It is untrusted, but the user trusted an earlier build of it.
    package let wasTrusted: Bool
    /// Its failures since its last success; nil: none.
    package let failures: Quarantine.Entry?

    /// Whether it is not run until it is released.
    package var isQuarantined: Bool { failures?.isQuarantined ?? false }
}

extension ExtensionHost {
    /// How the host stands to an extension; nil where its library cannot be read.
    package func standing(of installed: InstalledExtension) -> ExtensionStanding? {
        guard installed.status != .unusable, let binary = try? extensions.read(installed) else {
            return nil
        }
        return ExtensionStanding(
            trust: binary.trust,
            wasTrusted: binary.trust == .none
                && extensions.trust.trustsAnotherBuild(of: installed.identifier),
            failures: quarantine.entry(of: binary.digest))
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
                    ? "\(identifier) is part of edithost, which is always trusted"
                    : "\(identifier) has not been trusted by you, so there is nothing to "
                        + "withdraw", extension: identifier)
        }
        return identifier
    }
}
