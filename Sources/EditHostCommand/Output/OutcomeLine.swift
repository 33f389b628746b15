// SPDX-License-Identifier: Apache-2.0

/// The outcome of a change of one photo's edits, in the form in which it is printed. A batch keeps it for each of its
/// photos until all are committed, because it is much smaller than the photo's history.
struct OutcomeLine: Sendable {
    let assetIdentifier: String
    let hasChanged: Bool
    /// A line of text, or a JSON object.
    let line: String
    /// Messages for standard error.
    var messages: [String] = []
}
