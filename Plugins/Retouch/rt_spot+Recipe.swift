// SPDX-License-Identifier: Apache-2.0

import CRetouch

extension rt_spot {
    /// The distance of the source of a target without one, in radii.
    private static let distance = 2.5

    /// Returns the spots of a valid recipe for a picture of a given size.
    static func spots(of recipe: Retouch, width: Int, height: Int) -> [rt_spot] {
        let (columns, rows) = (Double(width), Double(height))
        return recipe.targets.enumerated().map { index, target in
            let radius = radius(ofSpot: index, of: recipe, columns, rows)
            var (right, down) = (target[0] < 0.5 ? distance * radius : -distance * radius, 0.0)
            if index < recipe.sources.count {
                right = (recipe.sources[index][0] - target[0]) * columns
                down = (recipe.sources[index][1] - target[1]) * rows
            }
            // Whole pixels, because an interpolation would blur the source.
            return rt_spot(
                x: target[0] * columns - 0.5, y: target[1] * rows - 0.5, radius: radius,
                feather: recipe.feather, right: Int32(right.rounded()),
                down: Int32(down.rounded()), is_healed: recipe.mode == .heal)
        }
    }

    /// Returns the distance of the point on the edge from the centre, or the common radius, in pixels.
    private static func radius(
        ofSpot index: Int, of recipe: Retouch, _ columns: Double, _ rows: Double
    ) -> Double {
        let longer = max(columns, rows)
        var radius = recipe.radius * longer
        if index < recipe.rims.count {
            let (rim, target) = (recipe.rims[index], recipe.targets[index])
            let (x, y) = ((rim[0] - target[0]) * columns, (rim[1] - target[1]) * rows)
            radius = (x * x + y * y).squareRoot()
        }
        let range = Retouch.radii
        return max(
            min(max(radius, range.lowerBound * longer), range.upperBound * longer), 0.5)
    }
}
