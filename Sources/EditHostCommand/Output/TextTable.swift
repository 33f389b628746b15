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
