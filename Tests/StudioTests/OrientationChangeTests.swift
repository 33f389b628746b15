// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Testing

@testable import Studio

/// The displayed picture is compared by the place of one point: flipped, turned and cropped, without straightening.
@Suite("turning and flipping")
struct OrientationChangeTests {
    private typealias Point = (x: Double, y: Double)

    /// Returns the place of a point of the original in the displayed picture.
    private func place(of point: Point, _ values: [String: String]) throws -> Point {
        var (x, y) = point
        if values["flip"] == "horizontal" { x = 1 - x }
        if values["flip"] == "vertical" { y = 1 - y }
        for _ in 0..<(try #require(values["turns"].flatMap { Int($0) })) { (x, y) = (1 - y, x) }
        let crop = try #require(values["crop"]).split(separator: ",").compactMap { Double($0) }
        return ((x - crop[0]) / crop[2], (y - crop[1]) / crop[3])
    }

    private static let starts: [[String: ParameterValue]] = [
        [:], ["turns": .integer(1)], ["turns": .integer(3), "flip": .string("horizontal")],
        ["flip": .string("vertical"), "crop": .rectangle(x: 0.1, y: 0.2, width: 0.5, height: 0.3)],
        ["turns": .integer(2), "crop": .rectangle(x: 0, y: 0.5, width: 0.25, height: 0.5)],
    ]

    private func compare(
        _ start: [String: ParameterValue], _ change: (inout OrientationChange) -> Void,
        _ expected: (Point) -> Point
    ) throws {
        var orientation = OrientationChange(start)
        let before = try place(of: (0.3, 0.6), orientation.values)
        change(&orientation)
        let after = try place(of: (0.3, 0.6), orientation.values)
        let wanted = expected(before)
        #expect(abs(after.x - wanted.x) < 1e-9 && abs(after.y - wanted.y) < 1e-9)
    }

    @Test("a quarter turn moves the displayed picture clockwise", arguments: starts)
    func turn(start: [String: ParameterValue]) throws {
        try compare(start, { $0.rotate(1) }) { (1 - $0.y, $0.x) }
        try compare(start, { $0.rotate(-1) }) { ($0.y, 1 - $0.x) }
    }

    @Test("a flip mirrors the displayed picture", arguments: starts)
    func flip(start: [String: ParameterValue]) throws {
        try compare(start, { $0.flipHorizontally() }) { (1 - $0.x, $0.y) }
        try compare(start, { $0.flipVertically() }) { ($0.x, 1 - $0.y) }
    }

    @Test("four turns, and two flips, change nothing", arguments: starts)
    func identity(start: [String: ParameterValue]) throws {
        try compare(start, { $0.rotate(4) }) { $0 }
        try compare(
            start,
            {
                $0.flipHorizontally()
                $0.flipHorizontally()
            }
        ) { $0 }
    }

    @Test("a flip reverses the angle of straightening")
    func angle() {
        var orientation = OrientationChange(["angle": .number(3.5)])
        orientation.flipVertically()
        #expect(orientation.values["angle"] == "-3.5")
        orientation.rotate(1)
        #expect(orientation.values["angle"] == "-3.5")
    }
}
