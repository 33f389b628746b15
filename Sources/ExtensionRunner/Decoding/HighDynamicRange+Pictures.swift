// SPDX-License-Identifier: Apache-2.0

import RunnerSupport

/// The mark of images with high dynamic range.
extension HighDynamicRange {
    /// The name of the image field that holds the mark.
    static let field = "edithost-high-dynamic-range"

    /// The content of the field: the code points of the transfer function and the primaries.
    var mark: String { "\(transfer.rawValue) \(primaries.rawValue)" }

    /// Parses the content of the field.
    init?(mark: String) {
        let numbers = mark.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        self.init(transfer: numbers[0], primaries: numbers[1])
    }
}
