// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A human-readable table of attack results.
struct AttackTable {
    private var rows: [[String]]
    private let columns: Int

    init(_ heading: [String]) {
        columns = heading.count
        rows = [heading, []]
    }

    /// Adds a heading for the rows below it.
    mutating func heading(_ text: String) { rows.append([text.uppercased()]) }

    mutating func row(_ cells: [String]) { rows.append(cells) }

    /// The rows with aligned columns.
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

    /// Prints the table with one call, so that the output of other tests is not mixed in.
    func print() { Swift.print("\n\(text)\n") }

    /// The text of a duration in milliseconds.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}
