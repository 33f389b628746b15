// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

extension JobInput {
    /// Returns the sharpness and exposure of the base, measured at display size.
    ///
    /// Sharpness is the Tenengrad measure: the mean square of the gradient by Sobel's operator (E. Krotkov,
    /// "Focusing", 1987). Exposure is the fraction of pixels that are neither black nor white, within 4 of 255
    /// levels. Both are defined in docs/reference/bursts.md.
    func quality() throws(RunnerFailure) -> PictureQuality {
        let image = try chain.base.displaySize(longerSide: SessionStart.displaySize)
        let gray = try wrapping("measure the picture", code: .badInput) {
            try image.converted(to: .rgb8).applying("colourspace", ["space": "b-w"])
        }
        let sink = try sink(gray).inMemory()
        return try wrapping("measure the picture", code: .badInput) {
            // Cast to float, because the operation clips strong edges of 8-bit images at 255.
            let edges = try sink.image.applying("cast", ["format": "float"]).applying("sobel")
            let (mean, deviation) = (try edges.number("avg"), try edges.number("deviate"))
            let dark = try sink.image.applying(
                "relational_const", ["relational": "lesseq", "c": .doubles([4])])
            let bright = try sink.image.applying(
                "relational_const", ["relational": "moreeq", "c": .doubles([251])])
            let clipped = (try dark.number("avg") + bright.number("avg")) / 255
            return PictureQuality(
                sharpness: mean * mean + deviation * deviation,
                exposure: max(0, min(1, 1 - clipped)))
        }
    }
}

extension Image {
    /// Returns the scalar result of an operation on the image.
    fileprivate func number(_ name: String) throws -> Double {
        let operation = try ImageOperation(name)
        try operation.set("in", to: .image(self))
        try operation.run()
        return try operation.double("out")
    }
}
