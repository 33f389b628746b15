// SPDX-License-Identifier: Apache-2.0

/// The kind of a row in the table of collections.
enum CollectionKind: String, StoredRawValue, Sendable {
    case album
    case folder
}
