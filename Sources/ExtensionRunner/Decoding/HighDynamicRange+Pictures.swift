// SPDX-License-Identifier: Apache-2.0

import RunnerSupport

/// How images carry that their numbers are of high dynamic range.
extension HighDynamicRange {
    /// The field of an image that says that its numbers are such.
    static let field = "edithost-high-dynamic-range"

    /// What the field holds.
    var mark: String { "\(transfer.rawValue) \(primaries.rawValue)" }

    /// Reads what the field holds.
    init?(mark: String) {
        let numbers = mark.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        self.init(transfer: numbers[0], primaries: numbers[1])
    }
}
