// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// A `.cube` file, as defined by Adobe's "Cube LUT Specification 1.0", or in the form of DaVinci Resolve with two
/// tables.
struct CubeFile {
    /// The maximum magnitude of a number. Larger ones could overflow when they are converted to another colour space.
    private static let limit = 1e6
    private static let curveSizes = 2...65536
    private static let cubeSizes = 2...129

    private var scanner: CubeScanner
    private var curve = TableGrid()
    private var cube = TableGrid()
    /// The domain of the first table.
    private var domain: (start: [Float]?, end: [Float]?)
    /// The numbers of all rows: three of the file, followed by a 0, for each row.
    private var values: [Float] = []

    private init(_ bytes: [UInt8]) { scanner = CubeScanner(bytes) }

    /// Reads a file.
    ///
    /// - Throws: `EditingExtensionError` with the number of the line in its message.
    static func table(in bytes: [UInt8]) throws -> ColorTable {
        var file = CubeFile(bytes)
        while !file.scanner.isAtEnd {
            try file.readLine()
            try file.scanner.skipLine()
        }
        return try file.table()
    }

    private mutating func readLine() throws {
        guard let first = try scanner.nextByte() else { return }
        let isNumber = first &- 0x30 < 10 || first == 0x2B || first == 0x2D || first == 0x2E
        if isNumber { try readRow() } else { try readKeyword() }
    }

    private func failure(_ reason: String) -> EditingExtensionError {
        .badTable(reason, line: scanner.line)
    }

    // MARK: - Keywords

    private mutating func readKeyword() throws {
        let word = try scanner.word()
        switch word.uppercased() {
        case "TITLE": return
        case "LUT_1D_SIZE": curve.size = try readSize(Self.curveSizes, of: word, replacing: curve)
        case "LUT_3D_SIZE": cube.size = try readSize(Self.cubeSizes, of: word, replacing: cube)
        case "LUT_1D_INPUT_RANGE": (curve.start, curve.end) = try readRange()
        case "LUT_3D_INPUT_RANGE": (cube.start, cube.end) = try readRange()
        case "DOMAIN_MIN": domain.start = try readNumbers(3)
        case "DOMAIN_MAX": domain.end = try readNumbers(3)
        default:
            throw failure(
                "\"\(word.prefix(40))\" is neither a number nor a keyword; remove the line if it does "
                    + "not change the meaning of the table")
        }
        try requireEndOfLine()
    }

    private mutating func readSize(
        _ sizes: ClosedRange<Int>, of word: String, replacing grid: TableGrid
    ) throws -> Int {
        guard grid.size == 0 else { throw failure("\(word) is repeated; keep one of both") }
        let number = try readNumbers(1)[0]
        guard let size = Int(exactly: number), sizes.contains(size) else {
            throw failure(
                "\(word) must be a whole number from \(sizes.lowerBound) to \(sizes.upperBound), "
                    + "not \(Int(exactly: number).map(String.init) ?? "\(number)")")
        }
        return size
    }

    /// Reads the first and the last input of a table, which are the same for each channel.
    private mutating func readRange() throws -> (start: [Float], end: [Float]) {
        let range = try readNumbers(2)
        guard Self.isRange(range[0], range[1]) else {
            throw failure(
                "the range of input goes from \(range[0]) to \(range[1]); its end must be greater than "
                    + "its start")
        }
        return ([Float](repeating: range[0], count: 3), [Float](repeating: range[1], count: 3))
    }

    /// Whether a range of inputs is large enough to compute positions in it.
    private static func isRange(_ start: Float, _ end: Float) -> Bool { end - start >= 1e-6 }

    // MARK: - Numbers

    private mutating func readRow() throws {
        let wanted = rowCount
        guard wanted > 0 else {
            throw failure("numbers come before LUT_1D_SIZE or LUT_3D_SIZE; move that line up")
        }
        guard values.count < 4 * wanted else {
            throw failure("there are more rows than the \(wanted) of \(sizes); correct the size")
        }
        for _ in 0..<3 { values.append(try readNumber()) }
        values.append(0)
        try requireEndOfLine()
    }

    private mutating func readNumbers(_ count: Int) throws -> [Float] {
        try (0..<count).map { _ in try readNumber() }
    }

    private mutating func readNumber() throws -> Float {
        guard let number = try scanner.number() else {
            throw failure(
                "a number is missing or malformed; numbers look like 0.5 or 1e-3, without NaN and "
                    + "infinity")
        }
        guard number.magnitude <= Self.limit else {
            throw failure("\(number) is beyond -1000000 to 1000000")
        }
        return Float(number)
    }

    private mutating func requireEndOfLine() throws {
        guard try scanner.nextByte() == nil else {
            throw failure("there are more words or numbers than expected; remove them")
        }
    }

    // MARK: - The table

    /// The number of rows of both tables.
    private var rowCount: Int { curve.size + cube.size * cube.size * cube.size }

    /// The sizes of the tables, as they appear in messages.
    private var sizes: String {
        [("LUT_1D_SIZE", curve.size), ("LUT_3D_SIZE", cube.size)].filter { $0.1 > 0 }
            .map { "\($0.0) \($0.1)" }.joined(separator: " and ")
    }

    private func table() throws -> ColorTable {
        guard rowCount > 0 else {
            throw EditingExtensionError.badTable(
                "the file has no LUT_1D_SIZE or LUT_3D_SIZE; choose a .cube file or a HaldCLUT as "
                    + "PNG")
        }
        guard values.count == 4 * rowCount else {
            throw failure(
                "the file has \(values.count / 4) of the \(rowCount) rows of \(sizes); it is "
                    + "truncated, or the size is wrong")
        }
        var table = ColorTable(curve: curve, cube: cube)
        table.curve.values = Array(values.prefix(4 * curve.size))
        table.cube.values = Array(values.dropFirst(4 * curve.size))
        if curve.size > 0 {
            try setDomain(of: &table.curve)
        } else {
            try setDomain(of: &table.cube)
        }
        return table
    }

    private func setDomain(of grid: inout TableGrid) throws {
        grid.start = domain.start ?? grid.start
        grid.end = domain.end ?? grid.end
        for band in 0..<3 {
            guard Self.isRange(grid.start[band], grid.end[band]) else {
                throw EditingExtensionError.badTable(
                    "the domain goes from \(grid.start[band]) to \(grid.end[band]); DOMAIN_MAX must "
                        + "be greater than DOMAIN_MIN")
            }
        }
    }
}
