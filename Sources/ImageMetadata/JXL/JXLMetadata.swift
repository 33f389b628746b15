// SPDX-License-Identifier: Apache-2.0

import FileAccess
import RunnerProtocol

/// Wraps the bare codestream that libvips writes in the JPEG XL container (ISO/IEC 18181-2), which can contain EXIF and
/// XMP.
package enum JXLMetadata {
    /// Adds metadata to a bare codestream.
    ///
    /// - Parameters:
    ///   - exif: An EXIF block, starting with its TIFF header.
    ///   - xmp: An XMP packet.
    ///   - file: A JPEG XL file. Files with a container are not changed.
    /// - Throws: `outputFailed`.
    package static func add(exif: [UInt8]?, xmp: [UInt8]?, to file: OpenFile) throws(RunnerFailure)
    {
        guard let length = file.length, let bytes = Bytes(mapping: file, length: length) else {
            throw unwritable
        }
        guard exif != nil || xmp != nil, bytes[0] == 0xFF, bytes[1] == 0x0A else { return }
        var container = signature + .box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
        // The first four bytes are the offset of the TIFF header.
        if let exif { container += .box("Exif", [0, 0, 0, 0] + exif) }
        if let xmp { container += .box("xml ", xmp) }
        guard bytes.count <= Int(UInt32.max) - 8 else { throw unwritable }
        container += .box("jxlc", Array(bytes.memory))
        // The file is copied completely before writing, because the mapping shows the bytes that are overwritten.
        guard (try? container.withUnsafeBytes { try file.write($0, at: 0) }) != nil else {
            throw unwritable
        }
    }

    private static let signature = [UInt8].box("JXL ", [0x0D, 0x0A, 0x87, 0x0A])

    private static var unwritable: RunnerFailure {
        RunnerFailure(
            code: .outputFailed, message: "the output cannot be written: no room for EXIF")
    }
}
