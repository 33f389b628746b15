// SPDX-License-Identifier: Apache-2.0

import CColorLUT
import TestSupport
import Testing

/// The arithmetic of Color LUT gives the same bytes for each processor and each division into tiles.
@Suite("kernel of Color LUT")
struct ColorLUTKernelTests {
    private typealias RowFunction<Sample> = (
        UnsafePointer<cl_edit>?, UnsafePointer<Sample>?, UnsafeMutablePointer<Sample>?, Int32, Int32
    ) -> Int32

    /// An edit with curves before a cube, freed with `cl_edit_free`.
    private static func edit() throws -> UnsafeMutablePointer<cl_edit> {
        let edit = try #require(cl_edit_make(5, 6))
        func values(_ points: Int, _ seed: UInt64) -> [Float] {
            ColorLUTOracle.randomColors(points, seed).flatMap { $0.map { Float($0) } + [0] }
        }
        cl_curve_fill(edit, [0, 0.1, 0], [1, 0.9, 2], values(5, 1))
        cl_cube_fill(edit, [-0.1, 0, 0], [1, 1, 0.8], values(6 * 6 * 6, 2))
        edit.pointee.amount = 0.7
        edit.pointee.range = 0.9
        edit.pointee.offset = 0.05
        return edit
    }

    /// Edits a row in pieces of some columns.
    private static func edited<Sample: FixedWidthInteger>(
        _ source: [Sample], bands: Int, columns: Int, _ edit: UnsafeMutablePointer<cl_edit>,
        _ function: RowFunction<Sample>
    ) -> [Sample] {
        var result = [Sample](repeating: 0, count: source.count)
        let width = source.count / bands
        source.withUnsafeBufferPointer { from in
            result.withUnsafeMutableBufferPointer { to in
                for left in stride(from: 0, to: width, by: columns) {
                    _ = function(
                        edit, from.baseAddress.map { $0 + left * bands },
                        to.baseAddress.map { $0 + left * bands }, Int32(bands),
                        Int32(min(columns, width - left)))
                }
            }
        }
        return result
    }

    private static func check<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, bands: Int, _ function: RowFunction<Sample>,
        _ plain: RowFunction<Sample>
    ) throws {
        let edit = try edit()
        defer { cl_edit_free(edit) }
        var random = SeededGenerator(seed: 7)
        let width = 3000
        let source = (0..<width * bands).map { _ in
            Sample.random(in: 0...Sample.max, using: &random)
        }
        let whole = edited(source, bands: bands, columns: width, edit, function)
        #expect(whole != source)
        #expect(edited(source, bands: bands, columns: width, edit, plain) == whole)
        for columns in [1, 7, 255, 257] {
            #expect(
                edited(source, bands: bands, columns: columns, edit, function) == whole,
                "in pieces of \(columns)")
        }
    }

    @Test("with and without AVX2, and in all tiles, the bytes are the same", arguments: [3, 4])
    func bytes(bands: Int) throws {
        try Self.check(UInt8.self, bands: bands, cl_row_8, cl_plain_row_8)
        try Self.check(UInt16.self, bands: bands, cl_row_16, cl_plain_row_16)
    }

    @Test("a conversion to NAN and infinities reads no memory outside the tables")
    func notFinite() throws {
        let edit = try Self.edit()
        defer { cl_edit_free(edit) }
        edit.pointee.to_table = { _, colors, count in
            let numbers: [Float] = [
                .nan, .infinity, -.infinity, 3e38, -3e38, .leastNonzeroMagnitude, 0.5,
            ]
            for index in 0..<3 * Int(count) { colors?[index] = numbers[index % numbers.count] }
        }
        edit.pointee.from_table = { _, colors, count in
            for index in 0..<3 * Int(count) where index % 2 == 0 { colors?[index] = .nan }
        }
        let source = [UInt8](repeating: 7, count: 3 * 500)
        let result = Self.edited(source, bands: 3, columns: 500, edit, cl_row_8)
        #expect(result == Self.edited(source, bands: 3, columns: 500, edit, cl_plain_row_8))
        // NAN becomes black.
        #expect(stride(from: 0, to: result.count, by: 512).allSatisfy { result[$0] == 0 })
    }
}
