// SPDX-License-Identifier: Apache-2.0

/// What an image's bands mean. The raw values are libvips' own.
public enum Interpretation: Int32, Sendable, CaseIterable {
    /// Numbers of no particular meaning.
    case multiband = 0
    /// Gray, 8 bit.
    case gray = 1
    /// A histogram or lookup table.
    case histogram = 10
    /// CIE XYZ.
    case xyz = 12
    /// CIE Lab.
    case lab = 13
    /// Four inks.
    case cmyk = 15
    /// CIE Lab in 32 bits a pixel.
    case labq = 16
    /// Red, green and blue, device dependent.
    case rgb = 17
    /// The CMC uniform colour space.
    case cmc = 18
    /// CIE LCh.
    case lch = 19
    /// CIE Lab as signed 16 bit.
    case labs = 21
    /// Red, green and blue, 8 bit.
    case srgb = 22
    /// CIE Yxy.
    case yxy = 23
    /// Fourier space.
    case fourier = 24
    /// Red, green and blue, 16 bit.
    case rgb16 = 25
    /// Gray, 16 bit.
    case gray16 = 26
    /// A matrix of numbers.
    case matrix = 27
    /// Linear red, green and blue.
    case scrgb = 28
    /// Hue, saturation and value.
    case hsv = 29

    /// libvips' name for it, as operations take it for an argument such as `interpretation`.
    public var name: String {
        switch self {
        case .gray: "b-w"
        case .gray16: "grey16"
        default: String(describing: self)
        }
    }
}
