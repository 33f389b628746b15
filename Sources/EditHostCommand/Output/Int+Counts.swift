// SPDX-License-Identifier: Apache-2.0

/// Formatted counts and sizes for messages.
extension Int {
    /// Returns the number and a noun in its singular or plural: `1 file`, `2 files`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }

    /// The number as a size in bytes: `512 bytes`, `882 kB`, `1.5 GB`.
    var byteText: String {
        guard self >= 1000 else { return counted("byte") }
        var (value, unit) = (Double(self) / 1000, 0)
        while value >= 999.5, unit < 3 {
            value /= 1000
            unit += 1
        }
        let tenths = (value * 10).rounded() / 10
        let number = tenths < 10 ? "\(tenths)" : "\(Int(value.rounded()))"
        return "\(number) \(["kB", "MB", "GB", "TB"][unit])"
    }
}
