// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A table of what attacks came to, for people to read.
struct AttackTable {
    private var rows: [[String]]
    private let columns: Int

    init(_ heading: [String]) {
        columns = heading.count
        rows = [heading, []]
    }

    /// A line that groups those below it.
    mutating func heading(_ text: String) { rows.append([text.uppercased()]) }

    /// A line.
    mutating func row(_ cells: [String]) { rows.append(cells) }

    /// The lines, their columns aligned.
    var text: String {
        let widths = (0..<columns).map { column in
            rows.filter { $0.count > 1 }.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            if row.isEmpty { return widths.map { String(repeating: "-", count: $0) } }
            if row.count == 1 { return row }
            return zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
        }
        .map { $0.joined(separator: "  ") }
        .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
        .joined(separator: "\n")
    }

    /// Prints it at once, whole, so that other tests do not print into it.
    func print() { Swift.print("\n\(text)\n") }

    /// A duration for a cell.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}
