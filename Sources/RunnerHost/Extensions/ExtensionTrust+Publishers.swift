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
        let builds = records.content.records.filter {
            $0.kind == .trusted && $0.publisher == publisher
        }
        return Set(builds.map(\.identifier)).sorted()
    }

    /// Trusts the builds of a publisher that are installed from now on.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func trust(_ publisher: PublisherKey) throws {
        try records.change { $0.publishers.insert(PublisherRecord(publisher)) }
    }

    /// Returns the publishers for whose signatures builds of an extension are trusted, ordered by their keys.
    package func publishers(of identifier: String) -> [PublisherKey] {
        records.refresh()
        let builds = records.content.records.filter {
            $0.kind == .trusted && $0.identifier == identifier
        }
        return Set(builds.compactMap(\.publisher)).sorted { $0.text < $1.text }
    }

    /// Whether a publisher's signature makes builds of an extension trusted. The user must trust the publisher, and
    /// must not trust a build of the extension for another reason.
    package func accepts(_ publisher: PublisherKey, of identifier: String) -> Bool {
        records.refresh()
        return records.content.accepts(publisher, of: identifier)
    }

    /// Trusts the build with a digest because of its publisher's signature, if ``accepts(_:of:)`` allows it.
    ///
    /// - Parameter keepingOtherBuilds: Whether other builds of the extension remain trusted.
    /// - Returns: Whether it is trusted.
    /// - Throws: `HostError` with `fileFailed`.
    package func trust(
        _ digest: SHA256Digest, of identifier: String, signedBy publisher: PublisherKey,
        keepingOtherBuilds: Bool = false
    ) throws -> Bool {
        var isAccepted = false
        // The signature was verified earlier, and the key may have been revoked since.
        try records.change { content in
            isAccepted = content.accepts(publisher, of: identifier)
            guard isAccepted else { return }
            if !keepingOtherBuilds { content.remove(.trusted, of: identifier) }
            content.records.insert(
                ExtensionRecord(
                    kind: .trusted, digest: digest, identifier: identifier, publisher: publisher))
        }
        return isAccepted
    }

    /// Withdraws the trust in a publisher, and in all builds that are trusted for its signature.
    ///
    /// - Returns: The identifiers of these extensions; nil if the publisher was not trusted.
    /// - Throws: `HostError` with `fileFailed`.
    package func revoke(_ publisher: PublisherKey) throws -> [String]? {
        var revoked: [String]?
        try records.change { content in
            guard content.publishers.remove(PublisherRecord(publisher)) != nil else { return }
            let builds = content.records.filter {
                $0.kind == .trusted && $0.publisher == publisher
            }
            content.records.subtract(builds)
            revoked = Set(builds.map(\.identifier)).sorted()
        }
        return revoked
    }
}

extension ExtensionRecords.Content {
    fileprivate func accepts(_ publisher: PublisherKey, of identifier: String) -> Bool {
        publishers.contains(PublisherRecord(publisher))
            && records.allSatisfy {
                $0.kind != .trusted || $0.identifier != identifier || $0.publisher == publisher
            }
    }
}
