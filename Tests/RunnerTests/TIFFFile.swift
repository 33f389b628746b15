// SPDX-License-Identifier: Apache-2.0

/// TIFF files written tag by tag.
enum TIFFFile {
    /// A tag with its values, which have two bytes, four bytes, or are thousandths.
    typealias Entry = (tag: Int, type: Int, values: [Int])

    /// A file with one strip.
    ///
    /// - Parameters:
    ///   - bits: The bits of each sample.
    ///   - photometric: The photometric interpretation.
    ///   - format: 1 for integers, 3 for floating-point numbers.
    static func bytes(
        width: Int, height: Int, bits: [Int], photometric: Int, format: Int = 1,
        _ further: [Entry] = [], pixels: [UInt8]
    ) -> [UInt8] {
        let entries: [Entry] =
            [
                (256, 3, [width]), (257, 3, [height]), (258, 3, bits), (259, 3, [1]),
                (262, 3, [photometric]), (273, 4, [1024]), (277, 3, [bits.count]),
                (278, 3, [height]), (279, 4, [pixels.count]),
                (339, 3, bits.map { _ in format }),
            ] + further
        var values: [UInt8] = []
        var directory = FileNumber.little(entries.count, 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            let list = entry.values.flatMap { value in
                switch entry.type {
                case 3: FileNumber.little(value, 2)
                case 4: FileNumber.little(value, 4)
                default: FileNumber.little(value, 4) + FileNumber.little(1000, 4)
                }
            }
            directory += FileNumber.little(entry.tag, 2) + FileNumber.little(entry.type, 2)
            directory += FileNumber.little(entry.values.count, 4)
            let place = FileNumber.little(512 + values.count, 4)
            directory += list.count > 4 ? place : Array((list + [0, 0, 0, 0]).prefix(4))
            if list.count > 4 { values += list }
        }
        var file = Array("II*\0".utf8) + FileNumber.little(8, 4) + directory + [0, 0, 0, 0]
        file += [UInt8](repeating: 0, count: 512 - file.count) + values
        return file + [UInt8](repeating: 0, count: 1024 - file.count) + pixels
    }

    /// Floating-point numbers as stored in a file.
    static func floats(_ values: [Float]) -> [UInt8] {
        values.flatMap { FileNumber.little(Int($0.bitPattern), 4) }
    }
}
