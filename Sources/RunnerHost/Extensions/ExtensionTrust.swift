// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The trusted extensions, by digest (``ExtensionBinary/digest``): those shipped with the host, and those that
/// the user trusts.
///
/// Trusted extensions share a runner and a pipeline. An untrusted one has a runner of its own, and exchanges
/// only pixels and recipes with it. Both lists are files of a ``DigestList``. An unreadable list trusts no
/// extension, nor does a list of an earlier version, which contains hashes of libraries only.
package final class ExtensionTrust: Sendable {
    /// The origin of the trust in an extension.
    package enum Level: String, Sendable {
        /// It was shipped with the host.
        case shipped
        /// The user trusts it.
        case user
        /// It is untrusted.
        case none
    }

    private let shipped: Set<SHA256Digest>
    private let own: DigestList
    private let readers: DigestList

    /// - Parameters:
    ///   - shippedFile: the list beside the host's own extensions.
    ///   - userFile: the user's list; nil: entries last as long as this object.
    ///   - readersFile: the list of untrusted extensions that may read originals; nil: entries last as long as
    ///     this object.
    package init(shippedFile: String?, userFile: String?, readersFile: String? = nil) {
        shipped = Set(shippedFile.map { DigestList.read($0).keys.map { $0 } } ?? [])
        own = DigestList(file: userFile)
        readers = DigestList(file: readersFile)
    }

    /// Returns the trust in the extension with a digest.
    package func level(of digest: SHA256Digest) -> Level {
        if shipped.contains(digest) { return .shipped }
        return own.contains(digest) ? .user : .none
    }

    /// Whether the user trusted an earlier build of an extension.
    package func trustsAnotherBuild(of identifier: String) -> Bool { own.names(identifier) }

    /// Trusts the extension with a digest until ``withdraw(from:)``, replacing earlier builds of it.
    ///
    /// - Throws: `HostError` with `fileFailed`. In that case, the list is unchanged.
    package func trust(_ digest: SHA256Digest, of identifier: String) throws {
        try own.add(digest, of: identifier)
    }

    /// Withdraws the user's trust in every build of an extension.
    ///
    /// - Returns: whether a build was trusted.
    /// - Throws: `HostError` with `fileFailed`. In that case, the list is unchanged.
    package func withdraw(from identifier: String) throws -> Bool { try own.remove(identifier) }

    // MARK: - Originals

    /// Whether the user allowed the extension with a digest to read originals.
    package func mayReadOriginals(_ digest: SHA256Digest) -> Bool { readers.contains(digest) }

    /// Allows the extension with a digest to read originals until ``forbidOriginals(to:)``.
    ///
    /// - Throws: `HostError` with `fileFailed`. In that case, the list is unchanged.
    package func allowOriginals(to digest: SHA256Digest, of identifier: String) throws {
        try readers.add(digest, of: identifier)
    }

    /// Revokes the permission of every build of an extension to read originals.
    ///
    /// - Returns: whether a build was allowed to.
    /// - Throws: `HostError` with `fileFailed`. In that case, the list is unchanged.
    package func forbidOriginals(to identifier: String) throws -> Bool {
        try readers.remove(identifier)
    }
}
