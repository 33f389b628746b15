// SPDX-License-Identifier: Apache-2.0

/// Rows of text in aligned columns.
struct TextTable {
    private var rows: [[String]] = []
    /// The columns whose texts stand at the right, as numbers do.
    private let rightColumns: Set<Int>
    /// The lines that stand before rows, by the number of the row.
    private var titles: [Int: String] = [:]

    init(_ heading: [String], rightColumns: Set<Int> = []) {
        rows = [heading.map { $0.uppercased() }]
        self.rightColumns = rightColumns
    }

    mutating func add(_ row: [String]) { rows.append(row.map(\.printable)) }

    /// Puts a title over the rows that follow, with an empty line before it.
    mutating func add(title: String) { titles[rows.count] = title.printable }

    /// The lines, the heading first.
    var lines: [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].columns : 0 }.max() ?? 0
        }
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
