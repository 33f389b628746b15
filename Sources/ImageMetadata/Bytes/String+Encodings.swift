// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Decodes metadata whose character set is missing or wrong: as UTF-8 if it is valid, otherwise as windows-1252.
    /// Windows programs write windows-1252 into fields that EXIF and IPTC define as ASCII.
    init(metadata bytes: some Collection<UInt8>) {
        self = String(validating: bytes, as: UTF8.self) ?? String(windows1252: bytes)
    }

    /// Decodes windows-1252, which differs from Latin-1 only in the characters 0x80 to 0x9F.
    package init(windows1252 bytes: some Collection<UInt8>) {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            let isOwn = (0x80...0x9F).contains(byte)
            scalars.append(isOwn ? Self.windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        self.init(scalars)
    }

    /// The characters 0x80 to 0x9F according to the WHATWG Encoding Standard.
    private static let windows1252: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
        "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
        "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}",
        "\u{2014}",
        "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]
}
