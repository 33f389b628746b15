// SPDX-License-Identifier: Apache-2.0

/// A minimal ICC profile, version 2.4, of a display: three primaries, a white point and a gamma.
///
/// The layout follows ICC.1:2001-04. Colours are adapted to the profile connection space's
/// white D50 by the Bradford transform, as ICC.1:2010 annex E has it.
struct MatrixProfile {
    /// What people call it.
    let name: String
    /// The exponent, in 256ths, as the `curv` tag stores it.
    let gamma: UInt16
    /// The columns of the matrix from linear RGB to XYZ relative to D50.
    let columns: [[Double]]

    /// Adobe RGB (1998), by the specification of May 2005: D65, gamma 2 + 51/256.
    static let adobeRGB = MatrixProfile(
        name: "Adobe RGB (1998)", gamma: 563, red: (0.64, 0.33), green: (0.21, 0.71),
        blue: (0.15, 0.06), white: (0.3127, 0.3290))

    /// ProPhoto RGB, which is ROMM RGB, by ISO 22028-2: D50, gamma 1.8.
    static let proPhotoRGB = MatrixProfile(
        name: "ProPhoto RGB", gamma: 461, red: (0.7347, 0.2653), green: (0.1596, 0.8404),
        blue: (0.0366, 0.0001), white: (0.3457, 0.3585))

    private init(
        name: String, gamma: UInt16, red: (Double, Double), green: (Double, Double),
        blue: (Double, Double), white: (Double, Double)
    ) {
        self.name = name
        self.gamma = gamma
        let primaries = [red, green, blue].map(Self.xyz)
        let whitePoint = Self.xyz(white)
        let amounts = Self.solve(primaries, whitePoint)
        columns = zip(primaries, amounts).map { primary, amount in
            Self.adapted(primary.map { $0 * amount }, from: whitePoint)
        }
    }

    // MARK: - Arithmetic

    private static let d50 = [0.9642, 1.0, 0.8249]

    private static func xyz(_ chromaticity: (x: Double, y: Double)) -> [Double] {
        let (x, y) = chromaticity
        return [x / y, 1, (1 - x - y) / y]
    }

    /// The amounts of three columns that add up to a target, by Cramer's rule.
    private static func solve(_ columns: [[Double]], _ target: [Double]) -> [Double] {
        let whole = determinant(columns)
        return (0..<3).map { index in
            var replaced = columns
            replaced[index] = target
            return determinant(replaced) / whole
        }
    }

    private static func determinant(_ c: [[Double]]) -> Double {
        c[0][0] * (c[1][1] * c[2][2] - c[2][1] * c[1][2])
            - c[1][0] * (c[0][1] * c[2][2] - c[2][1] * c[0][2])
            + c[2][0] * (c[0][1] * c[1][2] - c[1][1] * c[0][2])
    }

    /// The columns of the Bradford matrix.
    private static let bradford = [
        [0.8951, -0.7502, 0.0389], [0.2664, 1.7135, -0.0685], [-0.1614, 0.0367, 1.0296],
    ]

    private static func adapted(_ color: [Double], from white: [Double]) -> [Double] {
        let (source, target) = (cone(white), cone(d50))
        let scaled = zip(cone(color), zip(target, source)).map { $0 * $1.0 / $1.1 }
        return solve(bradford, scaled)
    }

    private static func cone(_ xyz: [Double]) -> [Double] {
        (0..<3).map { row in (0..<3).reduce(0) { $0 + bradford[$1][row] * xyz[$1] } }
    }

    // MARK: - Bytes

    /// The profile as it is embedded in a picture.
    var bytes: [UInt8] {
        let curve = Self.text("curv") + Self.word(0) + Self.word(1) + Self.half(gamma) + [0, 0]
        var tags: [(String, [UInt8])] = [
            ("desc", description), ("cprt", Self.text("text") + Self.word(0) + Self.text("CC0\0")),
            ("wtpt", Self.xyzTag(Self.d50)),
        ]
        for (tag, column) in zip(["rXYZ", "gXYZ", "bXYZ"], columns) {
            tags.append((tag, Self.xyzTag(column)))
        }
        for tag in ["rTRC", "gTRC", "bTRC"] { tags.append((tag, curve)) }
        return Self.assemble(tags)
    }

    private static func assemble(_ tags: [(String, [UInt8])]) -> [UInt8] {
        var table = word(tags.count)
        var contents: [UInt8] = []
        let start = 128 + 4 + 12 * tags.count
        for (tag, value) in tags {
            table += text(tag) + word(start + contents.count) + word(value.count)
            contents += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        }
        return header(length: start + contents.count) + table + contents
    }

    private static func header(length: Int) -> [UInt8] {
        var header = word(length) + word(0) + word(0x0240_0000)
        header += text("mntrRGB XYZ ")
        // A fixed date: equal pictures are equal files.
        header += [2026, 1, 1, 0, 0, 0].flatMap { half($0) }
        header += text("acsp") + [UInt8](repeating: 0, count: 28)
        header += d50.flatMap(fixed)
        return header + [UInt8](repeating: 0, count: 128 - header.count)
    }

    private var description: [UInt8] {
        let ascii = Array(name.utf8) + [0]
        return Self.text("desc") + Self.word(0) + Self.word(ascii.count) + ascii
            + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
    }

    private static func xyzTag(_ value: [Double]) -> [UInt8] {
        text("XYZ ") + word(0) + value.flatMap(fixed)
    }

    /// s15Fixed16Number.
    private static func fixed(_ value: Double) -> [UInt8] {
        word(Int(Int32((value * 65536).rounded())))
    }

    private static func word(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian, Array.init)
    }

    private static func half(_ value: UInt16) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian, Array.init)
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
}
