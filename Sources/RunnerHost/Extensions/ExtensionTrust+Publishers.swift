// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ExtensionTrust {
    /// The publishers that the user trusts, ordered by their keys.
    package var publishers: [PublisherKey] {
        records.refresh()
        return records.content.publishers.map(\.key).sorted { $0.text < $1.text }
    }

    /// Returns the identifiers of the extensions that are trusted for a publisher's signature, in alphabetical order.
    package func extensions(of publisher: PublisherKey) -> [String] {
        records.refresh()
        return records.content.records.filter { $0.kind == .trusted && $0.publisher == publisher }
            .map(\.identifier).sorted()
    }

    /// Trusts the builds of a publisher that are installed from now on.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func trust(_ publisher: PublisherKey) throws {
        try records.change { $0.publishers.insert(PublisherRecord(publisher)) }
    }

    /// Trusts the build with a digest because of its publisher's signature, if the user trusts the publisher.
    ///
    /// - Returns: whether it is trusted.
    /// - Throws: `HostError` with `fileFailed`.
    package func trust(
        _ digest: SHA256Digest, of identifier: String, signedBy publisher: PublisherKey
    ) throws -> Bool {
        // The signature was verified earlier, and the key may have been revoked meanwhile.
        guard publishers.contains(publisher) else { return false }
        try records.add(.trusted, digest, of: identifier, publisher: publisher)
        return true
    }

    /// Withdraws the trust in a publisher, and in all builds that are trusted for its signature.
    ///
    /// - Returns: the identifiers of these extensions; nil if the publisher was not trusted.
    /// - Throws: `HostError` with `fileFailed`.
    package func revoke(_ publisher: PublisherKey) throws -> [String]? {
        var revoked: [String]?
        try records.change { content in
            guard content.publishers.remove(PublisherRecord(publisher)) != nil else { return }
            let builds = content.records.filter {
                $0.kind == .trusted && $0.publisher == publisher
            }
            content.records.subtract(builds)
            revoked = builds.map(\.identifier).sorted()
        }
        return revoked
    }
}
