// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

private func big(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}

private func fixed(_ value: Double) -> [UInt8] {
    big(Int((value * 65536).rounded()))
}

/// ICC profiles of small sizes and all kinds of curves, read by the colour transforms.
@Suite("profiles of colour transforms")
struct ColorProfileTests {
    /// The bytes of a profile with curves of one kind, which are at its end.
    private struct Profile {
        var space = "RGB "
        var columns = [
            [0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141],
        ]
        var curve: [UInt8]
        /// A tag that the profile has, too.
        var other: String?
        /// The offset of the curves that the profile states; nil: the right one.
        var offset: Int?

        var bytes: [UInt8] {
            let names = ["rXYZ", "gXYZ", "bXYZ"] + (other.map { [$0] } ?? [])
            let count = names.count + 3
            let columnsStart = 132 + count * 12
            let curveStart = columnsStart + names.count * 20
            var bytes = [UInt8](repeating: 0, count: 128)
            bytes.replaceSubrange(16..<20, with: Array(space.utf8))
            bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
            bytes += big(count)
            for (index, name) in names.enumerated() {
                bytes += Array(name.utf8) + big(columnsStart + index * 20) + big(20)
            }
            for name in ["rTRC", "gTRC", "bTRC"] {
                bytes += Array(name.utf8) + big(offset ?? curveStart) + big(curve.count)
            }
            for index in names.indices {
                bytes += Array("XYZ ".utf8) + big(0)
                bytes += columns[index % 3].flatMap { fixed($0) }
            }
            return bytes + curve
        }
    }

    private static func points(_ values: [Int]) -> [UInt8] {
        Array("curv".utf8) + big(0) + big(values.count)
            + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    private static func parametric(_ type: UInt8, _ parameters: [Double]) -> [UInt8] {
        Array("para".utf8) + big(0) + [0, type, 0, 0] + parameters.flatMap { fixed($0) }
    }

    /// Returns the lines that the program prints for a profile.
    private func lines(_ profile: Profile) throws -> [String] {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(profile.bytes), to: "profile.icc")
        let result = try runProgram(
            try TestExtension.colorProgram(), [path],
            environment: ["ASAN_OPTIONS": "detect_leaks=0"])
        try #require(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test("curves of every kind give the light of their formula and the level of the light")
    func curves() throws {
        let srgb = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        let curves: [([UInt8], Double)] = [
            (Self.points([]), 0.5),
            (Self.points([0x0233]), pow(0.5, 563.0 / 256)),
            (Self.points([0, 0x4000, 0xFFFF]), 16384.0 / 65535),
            (Self.points([0, 0x8000, 0x4000, 0xFFFF, 0xFFFF]), 32768.0 / 65535),
            (Self.parametric(0, [2]), 0.25),
            (Self.parametric(1, [2, 1, 0]), 0.25),
            (Self.parametric(2, [2, 1, 0, 0]), 0.25),
            (Self.parametric(3, srgb), pow((0.5 + 0.055) / 1.055, 2.4)),
            (Self.parametric(4, srgb + [0, 0]), pow((0.5 + 0.055) / 1.055, 2.4)),
        ]
        for (curve, light) in curves {
            let lines = try lines(Profile(curve: curve))
            // No truncated copy is usable.
            try #require(lines.count == 3, "\(lines)")
            let numbers = lines.map { $0.split(separator: " ").compactMap { Double($0) } }
            #expect(numbers[0] == [0, 0] && numbers[2] == [1, 1], "\(lines)")
            try #require(numbers[1].count == 2, "\(lines)")
            #expect(abs(numbers[1][0] - light) < 1e-4, "\(lines) is not \(light)")
        }
        // Light is never negative: level - 0.125.
        let dark = try lines(Profile(curve: Self.parametric(4, [1, 1, 0, 1, 0, -0.125, -0.125])))
        #expect(dark.map { $0.split(separator: " ").first } == ["0.00000", "0.37500", "0.87500"])
    }

    @Test("profiles that cannot be used are refused with a reason")
    func refused() throws {
        let linear = Self.points([])
        let column = [0.4, 0.3, 0.1]
        let profiles: [(Profile, String)] = [
            (Profile(space: "GRAY", curve: linear), "not for red, green and blue"),
            (Profile(curve: linear, other: "A2B0"), "with tables"),
            (
                Profile(columns: [column, column, column], curve: linear),
                "the primaries of the profile coincide"
            ),
            (Profile(curve: linear, offset: 0xFFFF_FFF0), "malformed transfer curve"),
            (Profile(curve: linear, offset: 0), "malformed transfer curve"),
            (Profile(curve: Array("para".utf8) + big(0) + [0, 5, 0, 0]), "malformed"),
            (Profile(curve: Array("curv".utf8) + big(0) + big(70000)), "malformed"),
            (Profile(curve: Self.points([0x8000, 0x8000])), "cannot be inverted"),
            (Profile(curve: Self.parametric(0, [0])), "cannot be inverted"),
            (Profile(curve: Self.parametric(1, [2, 0, 0])), "cannot be inverted"),
        ]
        for (profile, reason) in profiles {
            let lines = try lines(profile)
            #expect(lines.count == 3 && lines.allSatisfy { $0.contains(reason) }, "\(lines)")
        }
    }
}
