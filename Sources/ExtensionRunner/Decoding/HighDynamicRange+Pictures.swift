// SPDX-License-Identifier: Apache-2.0

import RunnerSupport

/// High dynamic range of pictures: where HEIF files say it, and how images carry it.
extension HighDynamicRange {
    /// What a HEIF file says of its picture; nil where it is an ordinary one, or has a profile.
    init?(_ bytes: Bytes) {
        guard let colors = HEIFProperties(bytes)?.colors,
            !colors.contains(where: { $0.kind == "prof" || $0.kind == "rICC" }),
            let place = colors.first(where: { $0.kind == "nclx" })?.contents.lowerBound,
            let primaries = bytes.number(place, 2, bigEndian: true),
            let transfer = bytes.number(place + 2, 2, bigEndian: true)
        else { return nil }
        self.init(transfer: Int(transfer), primaries: Int(primaries))
    }

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
