// SPDX-License-Identifier: Apache-2.0

/// A table from colours to colours: a curve for each channel, a cube, or curves whose output enters a cube.
struct ColorTable: Equatable {
    var curve = TableGrid()
    var cube = TableGrid()
}

extension ColorTable {
    /// Reads the bytes of a `.cube` file or a HaldCLUT.
    ///
    /// - Throws: `EditingExtensionError` with `badParameter` that names the parameter and, in a text, the line.
    init(file bytes: [UInt8]) throws {
        if bytes.starts(with: HaldImage.signature) {
            self.init(cube: try HaldImage(bytes).cube())
        } else {
            self = try CubeFile.table(in: bytes)
        }
    }
}
