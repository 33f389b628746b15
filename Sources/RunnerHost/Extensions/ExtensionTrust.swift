// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The trusted extensions, by digest (``ExtensionBinary/digest``): those shipped with the host, and those that the user
/// trusts.
///
/// Trusted extensions share a runner and a pipeline. Each untrusted extension has a separate runner, and exchanges only
/// pixels and recipes with it. If the file is unreadable, no extension is trusted. A list of an earlier version is
/// ignored, because it contains only hashes of libraries.
package final class ExtensionTrust: Sendable {
    /// The origin of the trust in an extension.
    package enum Level: String, Sendable {
        /// The extension was shipped with the host.
        case shipped
        /// The user trusts the extension.
        case user
        /// The extension is untrusted.
        case none
    }

    private let shipped: Set<SHA256Digest>
    let records: ExtensionRecords

    /// - Parameters:
    ///   - shippedFile: The list beside the host's own extensions.
    ///   - folder: The configuration folder; if nil, changes last as long as this object.
    package init(shippedFile: String?, folder: String?) {
        shipped = Set(
            shippedFile.map { ExtensionRecord.list($0, as: .trusted).map(\.digest) } ?? [])
        records = ExtensionRecords(folder: folder)
    }

    /// Returns the trust in the extension with a digest.
    package func level(of digest: SHA256Digest) -> Level {
        if shipped.contains(digest) { return .shipped }
        return records.contains(.trusted, digest) ? .user : .none
    }

    /// Returns whether the user trusted an earlier build of an extension.
    package func trustsAnotherBuild(of identifier: String) -> Bool {
        records.names(.trusted, identifier)
    }

    /// Trusts the extension with a digest until ``withdraw(from:)``, replacing earlier builds of it.
    ///
    /// - Throws: `HostError` with `fileFailed`. In that case, nothing changes, unless only a file of an earlier
    ///   version could not be removed.
    package func trust(_ digest: SHA256Digest, of identifier: String) throws {
        try records.add(.trusted, digest, of: identifier)
    }

    /// Withdraws the user's trust in every build of an extension.
    ///
    /// - Returns: Whether a build was trusted.
    /// - Throws: `HostError` with `fileFailed`. In that case, nothing changes, unless only a file of an earlier
    ///   version could not be removed.
    package func withdraw(from identifier: String) throws -> Bool {
        try records.remove(.trusted, of: identifier)
    }

    // MARK: - Originals

    /// Returns whether the user allowed the extension with a digest to read originals.
    package func mayReadOriginals(_ digest: SHA256Digest) -> Bool {
        records.contains(.readsOriginals, digest)
    }

    /// Allows the extension with a digest to read originals until ``forbidOriginals(to:)``.
    ///
    /// - Throws: `HostError` with `fileFailed`. In that case, nothing changes, unless only a file of an earlier
    ///   version could not be removed.
    package func allowOriginals(to digest: SHA256Digest, of identifier: String) throws {
        try records.add(.readsOriginals, digest, of: identifier)
    }

    /// Revokes the permission of every build of an extension to read originals.
    ///
    /// - Returns: Whether a build was allowed to.
    /// - Throws: `HostError` with `fileFailed`. In that case, nothing changes, unless only a file of an earlier
    ///   version could not be removed.
    package func forbidOriginals(to identifier: String) throws -> Bool {
        try records.remove(.readsOriginals, of: identifier)
    }
}
