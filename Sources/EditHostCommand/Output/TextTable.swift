// SPDX-License-Identifier: Apache-2.0

/// A text table with aligned columns.
struct TextTable {
    private var rows: [[String]] = []
    /// The indexes of right-aligned columns, such as numbers.
    private let rightColumns: Set<Int>
    /// The titles before rows, keyed by row index.
    private var titles: [Int: String] = [:]
    /// The widths of the columns of the lines already printed.
    private var printedWidths: [Int] = []

    init(_ heading: [String], rightColumns: Set<Int> = []) {
        rows = [heading.map { $0.uppercased() }]
        self.rightColumns = rightColumns
    }

    mutating func add(_ row: [String]) { rows.append(row.map(\.printable)) }

    /// Adds a title, preceded by an empty line, before the following rows.
    mutating func add(title: String) { titles[rows.count] = title.printable }

    /// Returns the lines of the table, and removes them with the header. The columns of later rows are
    /// at least as wide.
    mutating func removeLines() -> [String] {
        let printed = lines
        printedWidths = widths
        (rows, titles) = ([], [:])
        return printed
    }

    private var widths: [Int] {
        let columns = max(printedWidths.count, rows.map(\.count).max() ?? 0)
        return (0..<columns).map { column in
            let widths = rows.map { column < $0.count ? $0[column].columns : 0 }
            return max(
                column < printedWidths.count ? printedWidths[column] : 0, widths.max() ?? 0)
        }
    }

    /// The lines of the table, starting with the header.
    var lines: [String] {
        let widths = widths
        return rows.enumerated().flatMap { index, row in
            let cells = row.enumerated().map { padded($1, column: $0, to: widths[$0]) }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return (titles[index].map { ["", $0] } ?? []) + [line]
        }
    }

    private func padded(_ text: String, column: Int, to width: Int) -> String {
        let space = String(repeating: " ", count: width - text.columns)
        return rightColumns.contains(column) ? space + text : text + space
    }
}

extension String {
    /// The width of the text in terminal columns. Most East Asian characters and emoji take two.
    fileprivate var columns: Int {
        utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + ($1.isWide ? 2 : 1) }
    }
}

extension Character {
    /// Whether the character takes two terminal columns.
    fileprivate var isWide: Bool {
        guard let first = unicodeScalars.first else { return false }
        if first.properties.isEmojiPresentation { return true }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x20000...0x3FFFD:
            return true
        default: return unicodeScalars.contains("\u{FE0F}")
        }
    }
}
