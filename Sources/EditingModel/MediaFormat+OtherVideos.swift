// SPDX-License-Identifier: Apache-2.0

extension MediaFormat {
    private static let otherVideos: [(bytes: [UInt8], name: String)] = [
        (Array("FLV\u{1}".utf8), "Flash Video"), (Array(".RMF".utf8), "RealMedia"),
        ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "Windows Media"),
        ([0, 0, 1, 0xBA], "MPEG program stream"), ([0, 0, 1, 0xB3], "MPEG video stream"),
        ([0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01], "MXF"), (Array("DKIF".utf8), "IVF"),
        (Array("YUV4MPEG2 ".utf8), "YUV4MPEG"),
    ]

    /// Returns the name of an unsupported video format, detected from a file's first bytes; `nil` if it is not
    /// recognized.
    public static func otherVideoName(firstBytes: some Collection<UInt8>) -> String? {
        let bytes = Array(firstBytes.prefix(sniffLength))
        if let found = otherVideos.first(where: { bytes.has($0.bytes) }) { return found.name }
        if bytes.isTransportStream { return "MPEG transport stream" }
        let theora = "\u{80}theora".unicodeScalars.map { UInt8($0.value) }
        return bytes.has("OggS") && bytes.has(theora, at: 28) ? "Ogg Theora" : nil
    }
}

extension [UInt8] {
    /// `true` for three packets of an MPEG transport stream, each with an optional timestamp before it.
    fileprivate var isTransportStream: Bool {
        [(0, 188), (4, 192)].contains { first, length in
            (0..<3).allSatisfy { has([0x47], at: first + $0 * length) }
        }
    }
}
