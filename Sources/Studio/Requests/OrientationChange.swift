// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

/// A rotation or flip of the displayed picture, as values of the shipped extension that crops and rotates.
///
/// The extension flips, rotates, straightens and crops, in this order. A rotation or flip of the result is expressed by
/// different values of these four steps.
struct OrientationChange: Hashable, Sendable {
    /// The identifier of the extension.
    static let extensionIdentifier = "org.edithost.croprotate"

    private var quarterTurns = 0
    private var flip = "none"
    private var angle = 0.0
    private var crop = [0.0, 0, 1, 1]

    /// The values of a picture that is neither rotated nor flipped.
    init() {}

    /// Reads the values of an edit. Missing ones have their defaults.
    init(_ values: [String: ParameterValue]) {
        if case .integer(let turns)? = values["turns"] { self.quarterTurns = Int(turns) }
        if case .string(let flip)? = values["flip"] { self.flip = flip }
        switch values["angle"] {
        case .number(let angle): self.angle = angle
        case .integer(let angle): self.angle = Double(angle)
        default: break
        }
        if case .rectangle(let x, let y, let width, let height)? = values["crop"] {
            crop = [x, y, width, height]
        }
    }

    /// Rotates the result clockwise by quarter turns.
    mutating func rotate(_ quarters: Int) {
        for _ in 0..<(quarters % 4 + 4) % 4 {
            quarterTurns = (quarterTurns + 1) % 4
            crop = [1 - crop[1] - crop[3], crop[0], crop[3], crop[2]]
        }
    }

    /// Flips the result from left to right.
    mutating func flipHorizontally() {
        quarterTurns = (4 - quarterTurns) % 4
        angle = -angle
        crop[0] = 1 - crop[0] - crop[2]
        switch flip {
        case "horizontal": flip = "none"
        // Both flips together are half a turn.
        case "vertical": (flip, quarterTurns) = ("none", (quarterTurns + 2) % 4)
        default: flip = "horizontal"
        }
    }

    /// Flips the result from top to bottom.
    mutating func flipVertically() {
        flipHorizontally()
        rotate(2)
    }

    /// The values as text, in the syntax of `--set`.
    var values: [String: String] {
        [
            "turns": "\(quarterTurns)", "flip": flip, "angle": "\(angle)",
            "crop": crop.map { "\(min(max($0, 0), 1))" }.joined(separator: ","),
        ]
    }
}
