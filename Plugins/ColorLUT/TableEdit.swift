// SPDX-License-Identifier: Apache-2.0

import CColorLUT
import EditingExtensionAPI

/// A table in the form in which it is applied to pixels.
final class TableEdit {
    /// The edit in C, which this object owns until it is passed to an image.
    private var edit: UnsafeMutablePointer<cl_edit>?

    /// - Parameter conversion: The conversion to the table's space; nil if that is the space of the picture.
    init(
        _ table: ColorTable, _ amount: Double, _ space: TableSpace, _ conversion: SpaceConversion?
    ) throws {
        guard let edit = cl_edit_make(Int32(table.curve.size), Int32(table.cube.size)) else {
            throw EditingExtensionError(code: .failed, message: "there is not enough memory")
        }
        self.edit = edit
        cl_curve_fill(edit, table.curve.start, table.curve.end, table.curve.values)
        cl_cube_fill(edit, table.cube.start, table.cube.end, table.cube.values)
        edit.pointee.amount = Float(amount)
        (edit.pointee.offset, edit.pointee.range) = space.levels
        if let conversion { Self.set(conversion, of: edit) }
    }

    deinit { cl_edit_free(edit) }

    /// Sets the conversion of an edit, which retains it.
    private static func set(
        _ conversion: SpaceConversion, of edit: UnsafeMutablePointer<cl_edit>
    ) {
        edit.pointee.context = Unmanaged.passRetained(conversion).toOpaque()
        edit.pointee.to_table = { context, colors, count in
            guard let context, let colors else { return }
            Unmanaged<SpaceConversion>.fromOpaque(context).takeUnretainedValue()
                .convertToTable(colors, count: Int(count))
        }
        edit.pointee.from_table = { context, colors, count in
            guard let context, let colors else { return }
            Unmanaged<SpaceConversion>.fromOpaque(context).takeUnretainedValue()
                .convertToPicture(colors, count: Int(count))
        }
        edit.pointee.end = { context, clipped in
            guard let context else { return }
            Unmanaged<SpaceConversion>.fromOpaque(context).takeRetainedValue()
                .report(clipped: clipped)
        }
    }

    /// Returns the edited image, which is lazy. May be called only once.
    func applied(to image: Image) throws -> Image {
        var result: UnsafeMutablePointer<VipsImage>?
        let passed = edit
        edit = nil
        guard cl_image(image.pointer, passed, &result) == 0, let result else {
            throw VipsError.last(in: "color lut")
        }
        return Image(taking: result)
    }
}
