// SPDX-License-Identifier: Apache-2.0

/// The colours at points that are equally spaced along each axis.
struct TableGrid: Equatable {
    /// The number of points along each axis; 0 means that there is no table.
    var size = 0
    /// The input at the first point, for red, green and blue.
    var start: [Float] = [0, 0, 0]
    /// The input at the last point, greater than `start`.
    var end: [Float] = [1, 1, 1]
    /// Red, green, blue and 0 for each point, in the kernel's format. In a cube, red changes fastest.
    var values: [Float] = []
}
