// SPDX-License-Identifier: Apache-2.0

/// A point of the picture or of the view, in pixels.
struct PlanePoint {
    var x: Double
    var y: Double
}
