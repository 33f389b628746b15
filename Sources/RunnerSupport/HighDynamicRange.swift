// SPDX-License-Identifier: Apache-2.0

/// The encoding of an HDR picture (Rec. ITU-R BT.2100), by the code points of ISO/IEC 23091-2. libvips does not
/// read it, and libswscale does not convert it.
package struct HighDynamicRange: Hashable, Sendable {
    /// The transfer function.
    package enum Transfer: Int, Sendable {
        /// The perceptual quantizer of SMPTE ST 2084.
        case pq = 16
        /// Hybrid log-gamma.
        case hlg = 18
    }

    /// The colour primaries.
    package enum Primaries: Int, Sendable {
        /// BT.709: high definition and sRGB.
        case bt709 = 1
        /// BT.2020: ultra high definition.
        case bt2020 = 9
        /// Display P3.
        case displayP3 = 12
    }

    /// The transfer function of the picture.
    package let transfer: Transfer
    /// The colour primaries of the picture.
    package let primaries: Primaries

    /// The common name of the transfer function.
    package var name: String { transfer == .pq ? "PQ" : "HLG" }

    /// Creates an encoding from code points; nil for the transfer function of an SDR picture.
    package init?(transfer: Int, primaries: Int) {
        guard let transfer = Transfer(rawValue: transfer) else { return nil }
        self.transfer = transfer
        // Other primaries are rare; those of BT.2100 are the best guess.
        self.primaries = Primaries(rawValue: primaries) ?? .bt2020
    }

    /// The warning for a user who gets the picture reduced to the range of sRGB.
    package var warning: String { "its high dynamic range (\(name)) was reduced to that of sRGB" }
}
