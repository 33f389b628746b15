// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The string without surrounding white space and control characters.
    package var trimmingBlanks: String {
        let isBlank: (Unicode.Scalar) -> Bool = { $0.value <= 0x20 || $0.value == 0xA0 }
        var scalars = Substring(self).unicodeScalars
        while let last = scalars.last, isBlank(last) { scalars.removeLast() }
        while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
        return String(scalars)
    }
}
