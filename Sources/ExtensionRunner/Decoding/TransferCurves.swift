// SPDX-License-Identifier: Apache-2.0

import Glibc
import ImageMetadata

/// The transfer curves of red, green and blue in an RGB profile, from stored values to linear light.
struct TransferCurves: Sendable {
    /// A curve from 0...1 to 0...1.
    private enum Curve: Hashable, Sendable {
        /// The parametric curve of type 4 in ICC.1, 10.18: g, a, b, c, d, e and f. All other types are cases of it.
        case parametric([Double])
        case table([UInt16])
    }

    private let curves: [Curve]

    /// The curve of IEC 61966-2-1, for pictures without a profile.
    static let sRGB = TransferCurves(
        curves: [
            .parametric([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0, 0])
        ])

    private init(curves: [Curve]) { self.curves = curves }

    /// Reads the curves of a profile; `nil` if it describes its colours with tables instead, or is malformed.
    init?(profile: [UInt8]) {
        let bytes = Bytes(profile)
        guard ICCProfile.colorSpace(profile) == .rgb,
            let count = bytes.number(128, 4, bigEndian: true), count <= 100
        else { return nil }
        var tags: [String: Int] = [:]
        for entry in (0..<Int(count)).map({ 132 + $0 * 12 }) {
            guard let name = bytes.slice(entry, 4),
                let offset = bytes.number(entry + 4, 4, bigEndian: true)
            else { return nil }
            tags[String(decoding: name, as: UTF8.self)] = Int(offset)
        }
        guard ["rXYZ", "gXYZ", "bXYZ"].allSatisfy({ tags[$0] != nil }) else { return nil }
        let curves = ["rTRC", "gTRC", "bTRC"].compactMap { name in
            tags[name].flatMap { Self.curve(bytes, at: $0) }
        }
        guard curves.count == 3 else { return nil }
        self.curves = Set(curves).count == 1 ? [curves[0]] : curves
    }

    /// Whether all bands have the same curve.
    var areEqual: Bool { curves.count == 1 }

    /// Returns the linear light of stored values in ascending order, each 0...1. It never decreases.
    ///
    /// - Parameter band: The number of the band, 0...2.
    func light(of values: [Double], inBand band: Int) -> [Float] {
        let curve = areEqual ? curves[0] : curves[band]
        var last = 0.0
        return values.map { value in
            let light = Self.value(of: curve, at: value)
            // A malformed curve may decrease or leave its range.
            last = max(last, light.isNaN ? 0 : min(light, 1))
            return Float(last)
        }
    }

    private static func value(of curve: Curve, at x: Double) -> Double {
        switch curve {
        case .parametric(let p):
            x >= p[4] ? pow(max(0, p[1] * x + p[2]), p[0]) + p[5] : p[3] * x + p[6]
        case .table(let table):
            interpolated(table, at: x)
        }
    }

    private static func interpolated(_ table: [UInt16], at x: Double) -> Double {
        let place = min(max(x, 0), 1) * Double(table.count - 1)
        let index = min(Int(place), table.count - 2)
        let fraction = place - Double(index)
        return (Double(table[index]) * (1 - fraction) + Double(table[index + 1]) * fraction) / 65535
    }

    // MARK: - Reading

    private static func curve(_ bytes: Bytes, at start: Int) -> Curve? {
        if bytes.has("curv", at: start) { return sampled(bytes, at: start) }
        guard bytes.has("para", at: start),
            let type = bytes.number(start + 8, 2, bigEndian: true).map(Int.init), type <= 4
        else { return nil }
        let numbers = (0..<[1, 3, 4, 5, 7][type]).compactMap {
            bytes.number(start + 12 + $0 * 4, 4, bigEndian: true)
                .map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
        }
        guard numbers.count == [1, 3, 4, 5, 7][type] else { return nil }
        return parametric(type, numbers)
    }

    private static func parametric(_ type: Int, _ p: [Double]) -> Curve? {
        switch type {
        case 0: return .parametric([p[0], 1, 0, 0, 0, 0, 0])
        case 3: return .parametric(p + [0, 0])
        case 4: return .parametric(p)
        default:
            // Types 1 and 2 are constant below -b / a.
            guard p[1] != 0 else { return nil }
            let offset = type == 2 ? p[3] : 0
            return .parametric([p[0], p[1], p[2], 0, -p[2] / p[1], offset, offset])
        }
    }

    private static func sampled(_ bytes: Bytes, at start: Int) -> Curve? {
        guard let count = bytes.number(start + 8, 4, bigEndian: true), count <= 65536 else {
            return nil
        }
        switch count {
        case 0: return .parametric([1, 1, 0, 0, 0, 0, 0])
        case 1:
            guard let gamma = bytes.number(start + 12, 2, bigEndian: true) else { return nil }
            return .parametric([Double(gamma) / 256, 1, 0, 0, 0, 0, 0])
        default:
            guard let values = bytes.slice(start + 12, Int(count) * 2) else { return nil }
            return .table(
                stride(from: 0, to: values.count, by: 2).map {
                    UInt16(values[$0]) << 8 | UInt16(values[$0 + 1])
                })
        }
    }
}
