// SPDX-License-Identifier: Apache-2.0

/// The meaning of an image's bands. The raw values are those of `VipsInterpretation`.
public enum Interpretation: Int32, Sendable, CaseIterable {
    /// Bands without a particular meaning.
    case multiband = 0
    /// 8-bit gray.
    case gray = 1
    /// A histogram or lookup table.
    case histogram = 10
    /// CIE XYZ.
    case xyz = 12
    /// CIE Lab.
    case lab = 13
    /// Four-ink CMYK.
    case cmyk = 15
    /// CIE Lab, packed into 32 bits per pixel.
    case labq = 16
    /// Device-dependent RGB.
    case rgb = 17
    /// The CMC uniform colour space.
    case cmc = 18
    /// CIE LCh.
    case lch = 19
    /// CIE Lab as signed 16-bit integers.
    case labs = 21
    /// 8-bit sRGB.
    case srgb = 22
    /// CIE Yxy.
    case yxy = 23
    /// A Fourier transform.
    case fourier = 24
    /// 16-bit RGB.
    case rgb16 = 25
    /// 16-bit gray.
    case gray16 = 26
    /// A matrix of numbers, such as a convolution kernel.
    case matrix = 27
    /// Linear RGB (scRGB).
    case scrgb = 28
    /// Hue, saturation and value.
    case hsv = 29

    /// libvips' nickname, for arguments of operations such as `interpretation`.
    public var name: String {
        switch self {
        case .gray: "b-w"
        case .gray16: "grey16"
        default: String(describing: self)
        }
    }
}
