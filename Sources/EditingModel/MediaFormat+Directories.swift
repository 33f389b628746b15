// SPDX-License-Identifier: Apache-2.0

extension MediaFormat {
    /// Detects the format of a file that is imported.
    ///
    /// Unlike ``init(firstBytes:)``, this also recognises RAW files of TIFF structure if their directories are not among
    /// the first bytes.
    ///
    /// - Parameter read: Reads at most `count` bytes at an offset; fewer at the end of the file.
    public init(reading read: (_ offset: Int, _ count: Int) throws -> [UInt8]) rethrows {
        let firstBytes = try read(0, Self.sniffLength)
        let format = MediaFormat(firstBytes: firstBytes)
        guard format == .tiff else {
            self = format
            return
        }
        // Phase One's IIQ files have a header of their own after that of TIFF: the byte order, and "Raw" in it.
        let isPhaseOne =
            firstBytes.has("IIII", at: 8) && firstBytes.has("waR", at: 13)
            || firstBytes.has("MMMM", at: 8) && firstBytes.has("Raw", at: 12)
        if isPhaseOne {
            self = .raw
        } else {
            self = try TIFFDirectories(read: read)?.format ?? .tiff
        }
    }
}
