// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// A track that marks the time of a Live Photo's still image, in the form that cameras write.
///
/// It follows Apple's *QuickTime File Format*, "Timed metadata media", and the files of iPhones. One sample has
/// the value -1 for the key `com.apple.quicktime.still-image-time`, as a signed 8-bit integer (type 65). It is
/// one unit long and follows an empty edit.
struct StillImageTrack {
    let identifier: UInt32
    /// The timescale of the movie and of the track's media.
    let timescale: UInt32
    /// The presentation time of the sample in units of the timescale.
    let time: UInt32
    /// The identifier of the video track that contains the still image.
    let videoTrack: UInt32?

    /// The only sample: a box with the local identifier of the key as its type.
    static let sample = [UInt8].box(BoxType(rawValue: 1), [0xFF])

    /// The duration of the track in units of the timescale.
    var duration: UInt64 { UInt64(time) + 1 }

    func box(at offset: Int) -> [UInt8] {
        let empty = EditList.Edit(duration: UInt64(time), mediaTime: nil)
        let edits = EditList(
            (time > 0 ? [empty] : []) + [EditList.Edit(duration: 1, mediaTime: 0)])
        // The track is enabled, and is in the movie, in the preview and in the poster.
        let flags: UInt32 = 0xF
        var header = [UInt8].numbers(0, 0, identifier, 0, UInt32(clamping: duration))
        header += .numbers(0, 0, 0, 0) + Self.matrix + .numbers(0, 0)
        let reference = videoTrack.map { [UInt8].box("tref", .box("cdsc", .numbers($0))) } ?? []
        return .box(
            "trak",
            .fullBox("tkhd", flags: flags, header) + edits.box + reference + media(at: offset))
    }

    /// The identity matrix in 16.16 fixed-point numbers, except the last column in 2.30.
    private static let matrix = [UInt8].numbers(1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)

    private func media(at offset: Int) -> [UInt8] {
        // The creation and modification times are unknown, and the language is undetermined.
        let times = [UInt8].numbers(0, 0, timescale, 1, 0x55C4_0000)
        return .box(
            "mdia",
            .fullBox("mdhd", times) + Self.handler("mhlr", "meta", "Core Media Metadata")
                + .box("minf", Self.information + table(at: offset)))
    }

    private static func handler(_ kind: BoxType, _ type: BoxType, _ name: String) -> [UInt8] {
        .fullBox(
            "hdlr",
            .numbers(kind.rawValue, type.rawValue, 0, 0, 0) + [UInt8(clamping: name.utf8.count)]
                + Array(name.utf8))
    }

    /// The generic media header and a data reference to the file itself.
    private static let information: [UInt8] = {
        // Graphics mode 0x40 (dither copy), a gray opcolor as cameras write it, and balance 0.
        let general = [UInt8].fullBox("gmin", .numbers(0x0040_8000, 0x8000_8000, 0))
        let reference = [UInt8].fullBox("dref", .numbers(1) + .fullBox("alis", flags: 1, []))
        return .box("gmhd", general) + handler("dhlr", "alis", "Core Media Data Handler")
            + .box("dinf", reference)
    }()

    private func table(at offset: Int) -> [UInt8] {
        let name = [UInt8].box(
            "keyd",
            .numbers(MetadataKey.stillImageTime.namespace.rawValue)
                + Array(MetadataKey.stillImageTime.name.utf8))
        let type = [UInt8].box("dtyp", .numbers(0, 65))
        let keys = [UInt8].box("keys", .box(BoxType(rawValue: 1), name + type))
        // The entry starts with six reserved bytes and the data reference index.
        let description = [UInt8].box("mebx", .numbers(0, 1) + keys)
        return .box(
            "stbl",
            .fullBox("stsd", .numbers(1) + description)
                + .fullBox("stts", .numbers(1, 1, 1))
                + .fullBox("stsc", .numbers(1, 1, 1, 1))
                + .fullBox("stsz", .numbers(UInt32(clamping: Self.sample.count), 1))
                + TrackCopy.chunkTable([offset]))
    }
}
