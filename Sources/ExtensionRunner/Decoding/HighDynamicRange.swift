// SPDX-License-Identifier: Apache-2.0

/// What the numbers of a picture of high dynamic range stand for (Rec. ITU-R BT.2100), by the code
/// points of ISO/IEC 23091-2. libvips reads no such thing and would take the numbers for sRGB.
struct HighDynamicRange: Hashable, Sendable {
    /// How light became numbers.
    enum Transfer: Int, Sendable {
        /// The perceptual quantizer of SMPTE ST 2084.
        case pq = 16
        /// Hybrid log-gamma.
        case hlg = 18
    }

    /// The primaries of red, green and blue.
    enum Primaries: Int, Sendable {
        case bt709 = 1
        case bt2020 = 9
        case displayP3 = 12
    }

    let transfer: Transfer
    let primaries: Primaries

    /// How people call it.
    var name: String { transfer == .pq ? "PQ" : "HLG" }

    /// What a HEIF file says of its picture; nil where it is an ordinary one, or has a profile.
    init?(_ bytes: Bytes) {
        guard let colors = HEIFProperties(bytes)?.colors,
            !colors.contains(where: { $0.kind == "prof" || $0.kind == "rICC" }),
            let place = colors.first(where: { $0.kind == "nclx" })?.contents.lowerBound,
            let primaries = bytes.number(place, 2, bigEndian: true),
            let transfer = bytes.number(place + 2, 2, bigEndian: true)
                .flatMap({ Transfer(rawValue: Int($0)) })
        else { return nil }
        self.transfer = transfer
        // Others are rare; those of BT.2100 are as good a guess as any.
        self.primaries = Primaries(rawValue: Int(primaries)) ?? .bt2020
    }

    /// The field of an image that says that its numbers are such.
    static let field = "edithost-high-dynamic-range"

    /// What the field holds.
    var mark: String { "\(transfer.rawValue) \(primaries.rawValue)" }

    /// Reads what the field holds.
    init?(mark: String) {
        let numbers = mark.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2, let transfer = Transfer(rawValue: numbers[0]),
            let primaries = Primaries(rawValue: numbers[1])
        else { return nil }
        (self.transfer, self.primaries) = (transfer, primaries)
    }
}
