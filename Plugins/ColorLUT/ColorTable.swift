// SPDX-License-Identifier: Apache-2.0

/// A table that maps colours to colours: a curve for each channel, a cube, or curves whose output is the input of a
/// cube.
struct ColorTable: Equatable {
    var curve = TableGrid()
    var cube = TableGrid()
}

extension ColorTable {
    /// Reads the bytes of a `.cube` file or a HaldCLUT.
    ///
    /// - Throws: `EditingExtensionError` with `badParameter`, whose message names the parameter and, for a `.cube`
    ///   file, the line.
    init(file bytes: [UInt8]) throws {
        if bytes.starts(with: HaldImage.signature) {
            self.init(cube: try HaldImage(bytes).cube())
        } else {
            self = try CubeFile.table(in: bytes)
        }
    }
}
