// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// The names in a work folder, and checks of untrusted names.
package enum WorkName {
    package static let plan = "plan.json"
    package static let jobs = "jobs"
    package static let extensions = "extensions"
    package static let inputs = "inputs"
    package static let results = "results"
    package static let files = "files"
    package static let committed = "committed"
    package static let logs = "logs"

    /// The name of a shard: its number with at least five digits.
    package static func shard(_ number: Int) -> String { padded(number, 5) }
    /// The name of the file of a shard's jobs.
    package static func jobFile(_ shard: Int) -> String { padded(shard, 5) + ".jsonl" }
    /// The name of a file of results or commitments.
    package static func lineFile(_ number: Int) -> String { padded(number, 4) + ".jsonl" }
    /// The name of a file that lists the jobs in flight.
    package static func flightFile(_ number: Int) -> String {
        "flight-" + padded(number, 4) + ".json"
    }

    private static func padded(_ number: Int, _ length: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
    }

    /// Returns the number of a file of results or commitments; `nil` for any other name.
    package static func number(ofLineFile name: String) -> Int? {
        number(name, named: lineFile)
    }

    /// Returns the number of a file of jobs in flight; `nil` for any other name.
    package static func number(ofFlightFile name: String) -> Int? {
        number(name, named: flightFile)
    }

    private static func number(_ name: String, named naming: (Int) -> String) -> Int? {
        guard name.utf8.count <= 32 else { return nil }
        let digits = name.utf8.filter { (0x30...0x39).contains($0) }
        // The next number must be one, too.
        guard let number = Int(String(decoding: digits, as: UTF8.self)), number < 1_000_000_000,
            naming(number) == name
        else { return nil }
        return number
    }

    /// Whether a name can be that of an attempt: 1 to 64 letters, digits, dots, hyphens and underscores, except for the
    /// reserved names.
    package static func isAttempt(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name != files && name != committed
            && name.utf8.first != UInt8(ascii: ".") && name.utf8.allSatisfy(isPlain)
    }

    /// Whether a text can be an identifier of a library, asset, edit or plan.
    static func isIdentifier(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Whether a name is a single visible path component.
    static func isComponent(_ name: String) -> Bool {
        (1...255).contains(name.pathBytes.count) && name.utf8.first != UInt8(ascii: ".")
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F }
    }

    /// Whether a text is an absolute path.
    static func isPath(_ path: String) -> Bool {
        path.utf8.first == UInt8(ascii: "/") && path.utf8.count < 4096
            && !path.utf8.contains(0)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
