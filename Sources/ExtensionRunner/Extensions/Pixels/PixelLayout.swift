// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import RunnerProtocol

/// A layout of pixels in the memory of an extension: `ee_pixel_layout`.
struct PixelLayout: Hashable, Sendable {
    enum Samples: Hashable, Sendable {
        case uint8, uint16, float

        var size: Int {
            switch self {
            case .uint8: 1
            case .uint16: 2
            case .float: 4
            }
        }
    }

    let samples: Samples
    let isLinear: Bool
    let bands: Int

    var bytesPerPixel: Int { samples.size * bands }

    /// Copies the structure of an extension.
    ///
    /// - Throws: `badRequest` if it is missing, too short or has an unknown value.
    init(_ layout: UnsafePointer<ee_pixel_layout>?) throws(RunnerFailure) {
        guard let layout,
            let layout = growingStructure(
                at: layout, as: ee_pixel_layout.self, minimum: Int(EE_PIXEL_LAYOUT_SIZE_1_1))
        else { throw Self.unusable("there is no ee_pixel_layout, or its struct_size is too small") }
        switch Int(layout.samples) {
        case Int(EE_SAMPLES_UINT8): samples = .uint8
        case Int(EE_SAMPLES_UINT16): samples = .uint16
        case Int(EE_SAMPLES_FLOAT): samples = .float
        default: throw Self.unusable("there are no samples of the type \(layout.samples)")
        }
        switch Int(layout.encoding) {
        case Int(EE_ENCODED): isLinear = false
        case Int(EE_LINEAR): isLinear = true
        default: throw Self.unusable("there is no encoding \(layout.encoding)")
        }
        guard layout.bands == 3 || layout.bands == 4 else {
            throw Self.unusable("a layout has 3 or 4 bands, not \(layout.bands)")
        }
        bands = Int(layout.bands)
    }

    private static func unusable(_ message: String) -> RunnerFailure {
        RunnerFailure(code: .badRequest, message: message)
    }
}
