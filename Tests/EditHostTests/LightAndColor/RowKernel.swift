// SPDX-License-Identifier: Apache-2.0

import CPictureLight
import TestSupport
import Testing

/// A row function of an extension, and its version without AVX2.
struct RowKernel {
    let edit: UnsafeRawPointer
    let row: pl_row
    let plain: pl_row

    /// Expects that both functions give the same bytes, whatever the pieces in which a random picture is edited.
    func expectSameBytes<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, width: Int, height: Int, bands: Int
    ) {
        var random = SeededGenerator(seed: 7)
        let source = (0..<width * height * bands).map { _ in
            Sample.random(in: 0...Sample.max, using: &random)
        }
        let whole = edited(source, width: width, bands: bands, columns: width, row)
        #expect(whole != source)
        #expect(edited(source, width: width, bands: bands, columns: width, plain) == whole)
        for columns in [1, 7, 255, 257] {
            #expect(
                edited(source, width: width, bands: bands, columns: columns, row) == whole,
                "in pieces of \(columns)")
        }
    }

    private func edited<Sample: FixedWidthInteger>(
        _ source: [Sample], width: Int, bands: Int, columns: Int, _ row: pl_row
    ) -> [Sample] {
        var result = [Sample](repeating: 0, count: source.count)
        source.withUnsafeBufferPointer { from in
            result.withUnsafeMutableBufferPointer { to in
                for top in 0..<source.count / width / bands {
                    for left in stride(from: 0, to: width, by: columns) {
                        let start = (top * width + left) * bands
                        row(
                            edit, from.baseAddress.map { $0 + start },
                            to.baseAddress.map { $0 + start }, Sample.bitWidth == 8, Int32(bands),
                            Int32(min(columns, width - left)), Int32(left), Int32(top))
                    }
                }
            }
        }
        return result
    }
}
