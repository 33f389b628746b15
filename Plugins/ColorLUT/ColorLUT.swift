// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import PictureLight

/// Applies the colours of a look-up table, which is read from a file: a `.cube` file or a HaldCLUT.
struct ColorLUT: PhotoFilter {
    static let identifier = "org.edithost.colorlut"
    static let version = "1.0"

    /// The file with the table. If it is empty, the output is the same as the input.
    var lut = ""
    /// The fraction of the table's colours that is blended with the picture, 0...1.
    var amount = 1.0
    /// The colour space that the table expects.
    var space = TableSpace.sRGB

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        guard (0...1).contains(amount) else {
            throw EditingExtensionError(
                code: .badParameter, message: "amount must be 0 to 1, not \(amount)")
        }
        guard !lut.isEmpty, amount > 0 else { return image }
        let table = try ColorTable.ofFile(lut) { try context.file(lut) }
        let picture = try context.withMatrixProfile(image)
        // Log one line for a video, not one for each frame.
        let conversion = try SpaceConversion(
            of: picture, to: space, reportsClipping: context.time == 0)
        return try TableEdit(table, amount, space, conversion).applied(to: picture)
    }

    /// Throws an error for an unusable file when the parameter is set, not only when a picture is rendered.
    mutating func adapt(to input: ContentEditingInput, setting names: Set<String>) throws {
        guard !lut.isEmpty, names.contains("lut") else { return }
        _ = try ColorTable.ofFile(lut) { try input.file(lut) }
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(ColorLUT.self, host: host)
}
