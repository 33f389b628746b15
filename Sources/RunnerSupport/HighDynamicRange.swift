// SPDX-License-Identifier: Apache-2.0

/// What the numbers of a picture of high dynamic range stand for (Rec. ITU-R BT.2100), by the code
/// points of ISO/IEC 23091-2. libvips reads no such thing, and libswscale converts none of it.
package struct HighDynamicRange: Hashable, Sendable {
    /// How light became numbers.
    package enum Transfer: Int, Sendable {
        /// The perceptual quantizer of SMPTE ST 2084.
        case pq = 16
        /// Hybrid log-gamma.
        case hlg = 18
    }

    /// The primaries of red, green and blue.
    package enum Primaries: Int, Sendable {
        /// Those of high definition and of sRGB.
        case bt709 = 1
        /// Those of ultra high definition.
        case bt2020 = 9
        /// Display P3.
        case displayP3 = 12
    }

    /// How light became numbers.
    package let transfer: Transfer
    /// The primaries.
    package let primaries: Primaries

    /// How people call it.
    package var name: String { transfer == .pq ? "PQ" : "HLG" }

    /// What code points stand for; nil where the transfer is that of an ordinary picture.
    package init?(transfer: Int, primaries: Int) {
        guard let transfer = Transfer(rawValue: transfer) else { return nil }
        self.transfer = transfer
        // Others are rare; those of BT.2100 are as good a guess as any.
        self.primaries = Primaries(rawValue: primaries) ?? .bt2020
    }

    /// What the user is told who sees it in the range of sRGB.
    package var warning: String { "its high dynamic range (\(name)) was reduced to that of sRGB" }
}
