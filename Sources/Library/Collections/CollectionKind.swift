// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

/// The kind of a row in the table of collections.
enum CollectionKind: String, Sendable {
    case album
    case folder
}
