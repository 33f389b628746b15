// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

/// Curves through points, checked by arithmetic.
@Suite("curves")
struct CurveTests {
    private func curve(_ points: (Double, Double)...) throws -> Curve {
        try Curve(points: points.map { UnitPoint(x: $0.0, y: $0.1) })
    }

    @Test("two points make a line, constant outside them")
    func line() throws {
        #expect(Curve.identity.table(count: 5) == [0, 0.25, 0.5, 0.75, 1])
        let line = try curve((0.25, 0.5), (0.75, 1))
        for (x, y) in [(-1, 0.5), (0, 0.5), (0.25, 0.5), (0.5, 0.75), (0.75, 1), (1, 1), (9, 1)] {
            #expect(abs(line.value(at: x) - y) < 1e-15, "\(x)")
        }
        #expect(Curve.identity.table(count: 1).isEmpty && Curve.identity.table(count: -1).isEmpty)
    }

    @Test("between points it is the monotone cubic of Fritsch and Carlson")
    func cubic() throws {
        // The secants are 0.5 and 1.5. The slopes are 0.5 and 1.5 at the ends, and their mean, 1, between.
        // They are not limited, because 1² + 2² and (2/3)² + 1² are at most 9. In the middle of an interval
        // of width h, Hermite's form is (y0 + y1) / 2 + h (m0 - m1) / 8.
        let rising = try curve((0, 0), (0.5, 0.25), (1, 1))
        #expect(abs(rising.value(at: 0.25) - (0.125 + 0.5 * (0.5 - 1) / 8)) < 1e-15)
        #expect(abs(rising.value(at: 0.75) - (0.625 + 0.5 * (1 - 1.5) / 8)) < 1e-15)
        #expect(rising.value(at: 0.5) == 0.25)

        // The secants are 0 and 2. The slope between is 0, and (0, 2) at the end is within the circle.
        let flat = try curve((0, 0), (0.5, 0), (1, 1))
        #expect(flat.value(at: 0.3) == 0)
        #expect(abs(flat.value(at: 0.75) - (0.5 + 0.5 * (0 - 2) / 8)) < 1e-15)

        // The secants are 0.1 and 9.1. With a = 1, b = 46 is far outside the circle of radius 3.
        let steep = try curve((0, 0), (0.9, 0.09), (1, 1))
        let factor = 3 / (1 + 46.0 * 46).squareRoot()
        let middle = 0.045 + 0.9 * (factor * 0.1 - factor * 46 * 0.1) / 8
        #expect(abs(steep.value(at: 0.45) - middle) < 1e-12)
    }

    @Test("a curve never leaves the range of its adjacent points")
    func bounds() throws {
        var random = SeededGenerator(seed: TestSeed.seed())
        for _ in 0..<200 {
            let count = Int.random(in: 2...12, using: &random)
            let places = Set((0..<count).map { _ in Double.random(in: 0...1, using: &random) })
            guard places.count >= 2 else { continue }
            let points = places.sorted().map {
                UnitPoint(x: $0, y: Double.random(in: 0...1, using: &random))
            }
            let curve = try Curve(points: points)
            for (start, end) in zip(points, points.dropFirst()) {
                var last = start.y
                for step in 0...20 {
                    let x = min(start.x + (end.x - start.x) * Double(step) / 20, end.x)
                    let y = curve.value(at: x)
                    #expect(y >= min(start.y, end.y) && y <= max(start.y, end.y))
                    // The curve is monotone between two points.
                    #expect((y - last) * (end.y - start.y) >= -1e-12)
                    last = y
                }
            }
        }
    }

    @Test("invalid points are named")
    func wrong() throws {
        let error = #expect(throws: InvalidValueError.self) {
            try curve((0, 0), (0.5, 1.25), (1, 1))
        }
        #expect(error?.description.contains("point 2 is [0.5,1.25]") == true)
        #expect(throws: InvalidValueError.self) { try curve((0, 0)) }
        #expect(throws: InvalidValueError.self) { try curve((0.5, 0), (0.5, 1)) }
        #expect(throws: InvalidValueError.self) { try curve((0, 0), (.nan, 1)) }
        for json in ["[]", "[[0,0],[1,2]]", "[[0,0],[1]]", "{}", "1", "[[1,0],[0,1]]"] {
            #expect(throws: DecodingError.self, "\(json)") {
                try JSONDecoder().decode(Curve.self, from: Data(json.utf8))
            }
        }
    }

    @Test("a curve's JSON is its points")
    func json() throws {
        let curve = try curve((0, 0), (0.5, 0.75), (1, 1))
        let json = try JSONEncoder().encode(curve)
        #expect(String(decoding: json, as: UTF8.self) == "[[0,0],[0.5,0.75],[1,1]]")
        #expect(try JSONDecoder().decode(Curve.self, from: json) == curve)
    }
}
