// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What a file is to say of a photograph in place of what its original says.
///
/// Where the original says the same already, nothing of it is touched.
package struct MetadataChanges: Codable, Hashable, Sendable {
    /// What becomes of one fact; nil in place of it: what the original says stays.
    package enum Change<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        /// It is this.
        case set(Value)
        /// Nothing is said of it.
        case remove
    }

    /// When it was taken.
    package var captureDate: Change<CaptureDate>?
    /// Where it was taken.
    package var location: Change<Location>?
    /// The stars, -1...5.
    package var rating: Change<Int>?
    /// The keywords, all of them; empty: none. Nil: what the original says stays.
    package var keywords: [String]?
    /// The title.
    package var title: Change<String>?
    /// The description, with line feeds between its lines.
    package var descriptionText: Change<String>?
    /// The label.
    package var label: Change<String>?

    /// No change.
    package init() {}

    /// Whether nothing changes.
    package var isEmpty: Bool { self == MetadataChanges() }
}
