// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

extension ColorTable {
    /// Returns the table of a file, from the host's cache if the cache contains it.
    ///
    /// - Parameters:
    ///   - value: The value of the parameter that names the file.
    ///   - bytes: Returns the file's bytes.
    static func ofFile(
        _ value: String, _ bytes: () throws -> UnsafeRawBufferPointer
    ) throws -> ColorTable {
        let key = key(of: value)
        if let table = key.flatMap(EditingExtension.cached(for:)).flatMap(ColorTable.init(cached:))
        {
            return table
        }
        let table = try ColorTable(file: Array(bytes()))
        // If the cache does not accept the table, it is parsed again the next time.
        if let key { try? EditingExtension.cache(table.cached, for: key) }
        return table
    }

    /// Returns the 32 bytes of the hash in "sha256:…"; nil for other values.
    private static func key(of value: String) -> [UInt8]? {
        let prefix = "sha256:"
        guard value.hasPrefix(prefix) else { return nil }
        let digits = value.dropFirst(prefix.count).compactMap { $0.hexDigitValue.map(UInt8.init) }
        guard digits.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    // MARK: - The cached bytes: for both grids the size, start and end, and then the values

    private static let headerCount = 14

    private var cached: [UInt8] {
        let header = [curve, cube].flatMap { [Float($0.size)] + $0.start + $0.end }
        return (header + curve.values + cube.values).withUnsafeBytes(Array.init)
    }

    /// Creates a table from cached bytes. Returns nil if the bytes are not those of a table.
    private init?(cached bytes: [UInt8]) {
        let numbers = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        guard numbers.count >= Self.headerCount, let curveSize = Int(exactly: numbers[0]),
            let cubeSize = Int(exactly: numbers[7]), 0...65536 ~= curveSize, 0...256 ~= cubeSize
        else { return nil }
        let firstOfCube = Self.headerCount + 4 * curveSize
        guard numbers.count == firstOfCube + 4 * cubeSize * cubeSize * cubeSize else { return nil }
        curve = TableGrid(
            size: curveSize, start: Array(numbers[1...3]), end: Array(numbers[4...6]),
            values: Array(numbers[Self.headerCount..<firstOfCube]))
        cube = TableGrid(
            size: cubeSize, start: Array(numbers[8...10]), end: Array(numbers[11...13]),
            values: Array(numbers[firstOfCube...]))
    }
}
