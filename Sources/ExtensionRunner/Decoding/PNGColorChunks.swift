// SPDX-License-Identifier: Apache-2.0

import ImageMetadata

/// The colour information of a PNG file (PNG, third edition, 4.3).
struct PNGColorChunks {
    /// The code points of the cICP chunk.
    private(set) var codePoints: CodePoints?
    /// The name of the embedded profile; `nil` if there is none.
    private(set) var profileName: String?
    /// Whether the file is tagged as sRGB.
    private(set) var isStandard = false
    private var gamma: Double?
    private var points: [Double]?

    /// Reads the first chunk of each kind before the pixels.
    init(_ bytes: Bytes) {
        for chunk in PNGChunk.header(of: bytes) { read(chunk.type, chunk.contents, bytes) }
    }

    private mutating func read(_ type: String, _ range: Range<Int>, _ bytes: Bytes) {
        let start = range.lowerBound
        func number(_ index: Int) -> Double? {
            bytes.number(start + index * 4, 4, bigEndian: true)
                .map { Double(Int32(truncatingIfNeeded: $0)) / 100_000 }
        }
        switch type {
        case "cICP" where range.count == 4 && codePoints == nil:
            // The third value is the matrix, which must be RGB in PNG.
            guard let values = bytes.slice(start, 4), values[2] == 0, values[3] <= 1 else { return }
            codePoints = CodePoints(
                primaries: Int(values[0]), transfer: Int(values[1]), isFullRange: values[3] == 1)
        case "iCCP" where profileName == nil:
            let name = (bytes.slice(start, min(range.count, 80)) ?? []).prefix { $0 != 0 }
            profileName = String(decoding: name, as: UTF8.self)
        case "sRGB": isStandard = true
        case "gAMA" where range.count == 4 && gamma == nil:
            gamma = number(0).flatMap { $0 > 0.01 && $0 < 100 ? $0 : nil }
        case "cHRM" where range.count == 32 && points == nil:
            let values = (0..<8).compactMap(number)
            // White is stored first.
            points = Array(values[2...] + values[..<2])
        default: break
        }
    }

    /// The space of gAMA and cHRM; `nil` if both are missing. A missing one is replaced by that of sRGB.
    var space: RGBSpace? {
        guard gamma != nil || points != nil else { return nil }
        return RGBSpace(
            points ?? RGBSpace.bt709, curve: gamma.map { RGBSpace.Curve.gamma(1 / $0) } ?? .sRGB)
    }

    /// The name of the profile that represents PQ in BT.2020, as PNG specified before cICP (W3C Note of 2017).
    static let nameOfPQ = "ITUR_2100_PQ_FULL"
}
