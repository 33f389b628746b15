// SPDX-License-Identifier: Apache-2.0

import CRetouch
import Foundation
import Testing

/// The membrane of Retouch, compared with a relaxation of Laplace's equation.
@Suite("membrane of Retouch")
struct MembraneTests {
    @Test("it is the solution that relaxation of the pixels converges to")
    func relaxation() {
        let (radius, count) = (24, 160)
        /// The value at a direction from the centre.
        func edge(_ angle: Double) -> Double {
            0.2 + 0.3 * cos(angle) - 0.2 * sin(2 * angle) + 0.1 * cos(3 * angle + 1)
        }
        var samples: [Float] = []
        for index in 0..<count {
            let value = edge(2 * .pi * Double(index) / Double(count))
            samples += [Float(value), 0, Float(-value), 1]
        }
        var disc = samples.withUnsafeBytes { memory in
            membrane_make(
                memory.baseAddress?.assumingMemoryBound(to: (Float, Float, Float, Float).self),
                Int32(count))
        }
        let relaxed = relaxedSurface(radius: radius, edge: edge)
        let side = 2 * radius + 1
        var largest = 0.0
        for y in -radius...radius {
            var positions = (-radius...radius).map { Float($0) / Float(radius) }
            for component in [0, 2] {
                var row = [Float](repeating: 0, count: side)
                membrane_row(
                    &disc, Int32(component), &positions, Float(y) / Float(radius), Int32(side), &row
                )
                for x in -radius...radius where x * x + y * y < (radius - 2) * (radius - 2) {
                    let expected = relaxed[(y + radius) * side + x + radius]
                    let value = Double(row[x + radius]) * (component == 0 ? 1 : -1)
                    largest = max(largest, abs(value - expected))
                }
            }
        }
        // The pixels at the edge are not exactly on the circle.
        #expect(largest < 0.02, "\(largest)")
    }

    /// Each pixel within the circle is the mean of its four neighbours. Those beyond have the value of their direction.
    private func relaxedSurface(radius: Int, edge: (Double) -> Double) -> [Double] {
        let side = 2 * radius + 1
        var surface: [Double] = []
        for y in -radius...radius {
            for x in -radius...radius { surface.append(edge(atan2(Double(y), Double(x)))) }
        }
        for _ in 0..<1500 {
            for y in 1..<side - 1 {
                for x in 1..<side - 1 {
                    let (right, down) = (x - radius, y - radius)
                    guard right * right + down * down < radius * radius else { continue }
                    let place = y * side + x
                    surface[place] =
                        (surface[place - 1] + surface[place + 1] + surface[place - side]
                            + surface[place + side]) / 4
                }
            }
        }
        return surface
    }
}
