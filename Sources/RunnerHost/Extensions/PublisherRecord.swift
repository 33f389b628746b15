// SPDX-License-Identifier: Apache-2.0

/// The record that the user trusts a publisher.
struct PublisherRecord: Codable, Hashable, Sendable {
    /// The kind of record.
    enum Kind: String, Codable, Sendable {
        /// Builds that the publisher signed are trusted when they are installed.
        case publisher
    }

    let kind: Kind
    let key: PublisherKey

    init(_ key: PublisherKey) {
        kind = .publisher
        self.key = key
    }
}
