// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// An entry of the journal: all changes that one run of a command made, or one change of another
/// program.
package struct JournalEntry: Hashable, Sendable {
    /// The identifier of an entry: the number of its first change, written after `@`.
    package struct Identifier: Hashable, Sendable, LosslessStringConvertible {
        /// The number of the change.
        let number: Int64

        init(number: Int64) { self.number = number }

        /// Parses an identifier such as `@1042`; nil if it is malformed.
        package init?(_ description: String) {
            guard description.utf8.first == UInt8(ascii: "@"),
                let number = Int64(description.dropFirst()), number > 0
            else { return nil }
            self.number = number
        }

        package var description: String { "@\(number)" }
    }

    /// The identifier.
    package let identifier: Identifier
    /// The date of the first change.
    package let date: Date
    /// The name of the command or program; nil if it states none.
    package let command: String?
    /// The number of photos that the entry created, changed or removed.
    package let assetCount: Int
    /// The number of albums and folders that the entry created, changed or removed.
    package let collectionCount: Int
    /// The entry that this one undoes.
    package let undoes: Identifier?
    /// True if another entry has undone this one, and is not undone itself.
    package let isUndone: Bool
    /// True if the entry has values that an undo can restore. Renderings, for example, have none.
    package let hasValues: Bool
}
