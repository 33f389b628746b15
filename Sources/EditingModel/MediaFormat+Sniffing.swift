// SPDX-License-Identifier: Apache-2.0

extension MediaFormat {
    /// Detects the format from the first bytes of a file.
    ///
    /// - Parameter firstBytes: The first ``sniffLength`` bytes, or the whole file if it is shorter.
    public init(firstBytes: some Collection<UInt8>) {
        let bytes = Array(firstBytes.prefix(Self.sniffLength))
        self =
            Self.bySignature(bytes) ?? Self.byBrand(bytes) ?? Self.tiffKind(bytes)
            ?? Self.byText(bytes) ?? .unknown
    }

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
            self = try RAWDetector(read: read)?.format ?? .tiff
        }
    }

    // MARK: - Signatures

    private static let signatures: [(offset: Int, bytes: [UInt8], format: MediaFormat)] = [
        (0, [0xFF, 0xD8, 0xFF], .jpeg),
        (0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        (0, Array("GIF87a".utf8), .gif), (0, Array("GIF89a".utf8), .gif),
        (0, [0xFF, 0x0A], .jxl),
        (0, [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jxl),
        (0, [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jpeg2000),
        (0, [0xFF, 0x4F, 0xFF, 0x51], .jpeg2000),
        (0, Array("%PDF-".utf8), .pdf),
        (0, Array("8BPS".utf8), .psd),
        (0, [0x76, 0x2F, 0x31, 0x01], .openexr),
        (0, [0, 0, 1, 0xBA], .mpeg),
        (0, Array("#?RADIANCE".utf8), .radiance), (0, Array("#?RGBE".utf8), .radiance),
        (0, [0x1F, 0x8B], .gzip),
        (0, Array("FUJIFILMCCD-RAW".utf8), .raw),
        (0, Array("FOVb".utf8), .raw), (6, Array("HEAPCCDR".utf8), .raw),
        (0, [0, 0x4D, 0x52, 0x4D], .raw),
        (0, Array("II".utf8) + [0x52, 0x4F, 8, 0], .raw),
        (0, Array("II".utf8) + [0x52, 0x53, 8, 0], .raw),
        (0, Array("MMOR".utf8), .raw),
        (0, Array("II".utf8) + [0x55, 0, 0x18, 0], .raw),
        (0, Array("II".utf8) + [0x55, 0, 8, 0], .raw),
    ]

    private static let otherAudio = [
        "ID3", "fLaC", "OggS", "#!AMR", "caff", ".snd", "MThd", "wvpk", "MAC ", "DSD ",
    ]

    private static func bySignature(_ bytes: [UInt8]) -> MediaFormat? {
        for entry in signatures where bytes.has(entry.bytes, at: entry.offset) {
            return entry.format
        }
        if bytes.isTransportStream { return .mpegts }
        if bytes.isWindowsMedia { return bytes.isWindowsMediaSound ? .audio : .wmv }
        if otherVideoName(firstBytes: bytes) != nil { return .video }
        if otherAudio.contains(where: { bytes.has($0) }) { return .audio }
        if bytes.has("RIFF") && bytes.has("WEBP", at: 8) { return .webp }
        if bytes.has("RIFF") && bytes.has("AVI ", at: 8) { return .avi }
        if bytes.has([0x1A, 0x45, 0xDF, 0xA3]) { return bytes.matroskaKind }
        if bytes.has("RIFF") || bytes.has("RF64"), bytes.has("WAVE", at: 8) { return .audio }
        if bytes.has("FORM") && (bytes.has("AIFF", at: 8) || bytes.has("AIFC", at: 8)) {
            return .audio
        }
        // BMP: the two-letter signature is too weak, so the reserved words must be zero too.
        if bytes.has("BM"), bytes.has([0, 0, 0, 0], at: 6) { return .bmp }
        return nil
    }

    // MARK: - ISO base media files

    /// Detects the format from the brands of an `ftyp` box. Older movies start with another QuickTime box.
    private static func byBrand(_ bytes: [UInt8]) -> MediaFormat? {
        guard bytes.has("ftyp", at: 4) else {
            let boxes = ["moov", "mdat", "wide", "free", "skip", "pnot"]
            return boxes.contains { bytes.has($0, at: 4) } ? .quickTime : nil
        }
        let length = min(bytes.count, bytes.bigEndian(at: 0) ?? 0)
        guard length >= 12 else { return nil }
        let offsets = [8] + stride(from: 16, to: max(16, length - 3), by: 4)
        let brands = offsets.map {
            String(decoding: bytes[$0..<min($0 + 4, length)], as: UTF8.self)
        }
        return format(brands: brands)
    }

    private static func format(brands: [String]) -> MediaFormat {
        let heic: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
        let avif: Set = ["avif", "avis"]
        let major = brands[0]
        if avif.contains(major) { return .avif }
        if heic.contains(major) { return .heic }
        if major == "crx " { return .raw }
        if major == "jxl " { return .jxl }
        if ["jp2 ", "jpx ", "jpm "].contains(major) { return .jpeg2000 }
        if ["mif1", "msf1", "miaf"].contains(major) {
            if brands.contains(where: avif.contains) { return .avif }
            return brands.contains(where: heic.contains) ? .heic : .unknown
        }
        if major == "qt  " { return .quickTime }
        if ["M4A ", "M4B ", "M4P ", "F4A ", "F4B "].contains(major) { return .audio }
        return .mp4
    }

    // MARK: - TIFF and its relatives

    private static func tiffKind(_ bytes: [UInt8]) -> MediaFormat? {
        let isLittle = bytes.has([0x49, 0x49, 42, 0]) || bytes.has([0x49, 0x49, 43, 0])
        let isBig = bytes.has([0x4D, 0x4D, 0, 42]) || bytes.has([0x4D, 0x4D, 0, 43])
        guard isLittle || isBig else { return nil }
        if bytes.has("CR", at: 8) && isLittle { return .raw }
        guard bytes[isLittle ? 2 : 3] == 42 else { return .tiff }
        let tags = firstTags(bytes, isLittle: isLittle)
        if tags[0xC612] != nil { return .dng }
        // RAW files of Nikon, Sony and others: the first directory is a preview (NewSubfileType 1), and SubIFDs
        // lists the raw pixels.
        return tags[0xFE] == 1 && tags[0x014A] != nil ? .raw : .tiff
    }

    /// Returns the tags of the first directory with their values or offsets, as far as the bytes include them.
    private static func firstTags(_ bytes: [UInt8], isLittle: Bool) -> [Int: Int] {
        func number(_ offset: Int, _ count: Int) -> Int? {
            guard offset >= 0, offset + count <= bytes.count else { return nil }
            let part = bytes[offset..<offset + count]
            return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let start = number(4, 4), let count = number(start, 2) else { return [:] }
        let pairs = (0..<count).compactMap { index -> (Int, Int)? in
            let entry = start + 2 + index * 12
            guard let tag = number(entry, 2), let value = number(entry + 8, 4) else { return nil }
            return (tag, value)
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    // MARK: - Text

    private static func byText(_ bytes: [UInt8]) -> MediaFormat? {
        if bytes.isMPEGAudio { return .audio }
        let text = String(decoding: bytes.filter { $0 != 0 }.prefix(sniffLength), as: UTF8.self)
        guard let start = text.firstIndex(of: "<") else { return nil }
        let beginning = text[..<start].unicodeScalars
        guard beginning.allSatisfy({ $0.value == 0xFEFF || $0.value == 0xFFFD || $0.value <= 0x20 })
        else { return nil }
        return text.contains("<svg") || text.contains(":svg") ? .svg : nil
    }
}

extension [UInt8] {
    func has(_ pattern: [UInt8], at offset: Int = 0) -> Bool {
        offset + pattern.count <= count
            && self[offset..<offset + pattern.count].elementsEqual(pattern)
    }

    func has(_ text: String, at offset: Int = 0) -> Bool {
        has(Array(text.utf8), at: offset)
    }

    /// Matroska or WebM, determined by the element DocType (RFC 8794, 11.2.8) in the first element.
    fileprivate var matroskaKind: MediaFormat {
        let webm = Array("webm".utf8)
        return (0..<Swift.min(count, 64)).contains { has(webm, at: $0) } ? .webm : .matroska
    }

    /// `true` for MPEG audio without a tag, or AAC in ADTS frames.
    ///
    /// Synchronisation, version, layer, bit rate and sampling rate are checked, since a UTF-16 byte order mark
    /// before a Latin letter looks like the sync word.
    fileprivate var isMPEGAudio: Bool {
        guard count >= 4, self[0] == 0xFF, !(self[1] == 0xFE && self[3] == 0) else { return false }
        if self[1] & 0xF6 == 0xF0 { return self[2] >> 2 & 0x0F < 13 }
        return self[1] & 0xE0 == 0xE0 && self[1] & 0x06 != 0 && self[1] & 0x18 != 0x08
            && self[2] & 0xF0 != 0xF0 && self[2] & 0x0C != 0x0C
    }

    fileprivate func bigEndian(at offset: Int) -> Int? {
        guard offset + 4 <= count else { return nil }
        return self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
