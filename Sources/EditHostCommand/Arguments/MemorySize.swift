// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// An amount of memory in bytes.
struct MemorySize: ExpressibleByArgument {
    let bytes: Int

    /// Parses a number with the binary suffix `K`, `M`, `G` or `T`, such as `512M`.
    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let unit = argument.dropFirst(digits.count).uppercased()
        guard let number = Int(digits), number > 0,
            let place = ["K", "M", "G", "T"].firstIndex(of: unit)
        else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: 1 << (10 * (place + 1)))
        guard !isTooLarge else { return nil }
        self.bytes = bytes
    }
}
