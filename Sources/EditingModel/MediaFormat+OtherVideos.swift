// SPDX-License-Identifier: Apache-2.0

extension MediaFormat {
    private static let otherVideos: [(bytes: [UInt8], name: String)] = [
        (Array("FLV\u{1}".utf8), "Flash Video"), (Array(".RMF".utf8), "RealMedia"),
        ([0, 0, 1, 0xB3], "MPEG video stream"),
        ([0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01], "MXF"), (Array("DKIF".utf8), "IVF"),
        (Array("YUV4MPEG2 ".utf8), "YUV4MPEG"),
    ]

    /// The starts of the streams of Theora, VP8, Dirac, Daala and OGM in Ogg files.
    fileprivate static let oggVideos: [[UInt8]] = [
        [0x80] + Array("theora".utf8), Array("OVP80".utf8), Array("BBCD\0".utf8),
        [0x80] + Array("daala".utf8), Array("\u{1}video".utf8),
    ]

    /// Returns the name of an unsupported video format, detected from a file's first bytes; `nil` if it is not
    /// recognised.
    public static func otherVideoName(firstBytes: some Collection<UInt8>) -> String? {
        let bytes = Array(firstBytes.prefix(sniffLength))
        if let found = otherVideos.first(where: { bytes.has($0.bytes) }) { return found.name }
        return bytes.isOggVideo ? "Ogg video" : nil
    }
}

extension [UInt8] {
    /// `true` for three packets of an MPEG transport stream, each with an optional timestamp before it.
    var isTransportStream: Bool {
        [(0, 188), (4, 192)].contains { first, length in
            (0..<3).allSatisfy { has([0x47], at: first + $0 * length) }
        }
    }

    /// `true` for an ASF file, which starts with its header.
    var isWindowsMedia: Bool { has([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) }

    /// `true` for an ASF file whose complete header has the types of sound streams, but not that of video.
    var isWindowsMediaSound: Bool {
        let sound: [UInt8] = [0x40, 0x9E, 0x69, 0xF8, 0x4D, 0x5B, 0xCF, 0x11]
        let video: [UInt8] = [0xC0, 0xEF, 0x19, 0xBC, 0x4D, 0x5B, 0xCF, 0x11]
        guard count >= 24 else { return false }
        // The lower half of the header's length, in little-endian order.
        let length = self[16..<20].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= count else { return false }
        func contains(_ type: [UInt8]) -> Bool { (0..<count).contains { has(type, at: $0) } }
        return contains(sound) && !contains(video)
    }

    /// `true` for an Ogg file with a video stream. The first pages of all streams precede all other pages
    /// (RFC 3533, 4). The video may come after sound, or after Skeleton, which describes the other streams.
    fileprivate var isOggVideo: Bool {
        var page = 0
        while has("OggS", at: page), page + 27 <= count, self[page + 5] & 2 != 0 {
            let start = page + 27 + Int(self[page + 26])
            guard start <= count else { return false }
            if MediaFormat.oggVideos.contains(where: { has($0, at: start) }) { return true }
            page = self[page + 27..<start].reduce(start) { $0 + Int($1) }
        }
        return false
    }
}
