// SPDX-License-Identifier: Apache-2.0

/// A position in a text.
public struct TextPosition: Hashable, Sendable {
    /// The line number, from 1.
    public let line: Int
    /// The column in characters, from 1.
    public let column: Int

    /// Creates a position from a 1-based line and column.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
