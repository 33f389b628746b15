// SPDX-License-Identifier: Apache-2.0

/// The run of a program that makes a change, as the history records it.
struct ChangeAuthor: Hashable, Sendable {
    /// The session. All changes of a session that state a command are one entry of the journal.
    let session: String
    /// The name of the command; nil if the program states none.
    var command: String?
}
