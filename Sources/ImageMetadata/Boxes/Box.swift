// SPDX-License-Identifier: Apache-2.0

/// A box in memory. Apple's documentation calls boxes atoms.
struct Box: Hashable, Sendable {
    let type: BoxType
    /// The range of the header and the contents.
    let range: Range<Int>
    let contents: Range<Int>
}
