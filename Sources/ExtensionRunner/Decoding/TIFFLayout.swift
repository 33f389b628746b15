// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

/// How a TIFF file lays out its pixels, as far as libvips opens only some of it.
enum TIFFLayout {
    /// Why libvips does not open a file, in words that a photographer can do something with; nil where
    /// it is for no reason that the tags of the first picture tell.
    static func refusal(_ bytes: Bytes) -> RunnerFailure? {
        guard let reader = TIFFReader(bytes), let first = reader.first else { return nil }
        let bits = reader.integers(Tag.bitsPerSample, in: first) ?? [1]
        let samples = reader.integers(Tag.samplesPerPixel, in: first)?.first ?? bits.count
        if let odd = bits.first(where: { $0 % 8 != 0 }), samples > 1 || ![1, 2, 4].contains(odd) {
            return notOpened(
                "TIFF pictures with \(odd) bits per sample", "save it with 8 or 16 bits")
        }
        let isPlanar = reader.integers(Tag.planarConfiguration, in: first)?.first == 2
        if isPlanar, reader.integers(Tag.tileWidth, in: first) != nil {
            return notOpened(
                "TIFF pictures with tiles in separate planes",
                "save it with the samples of a pixel together")
        }
        return nil
    }

    private static func notOpened(_ what: String, _ remedy: String) -> RunnerFailure {
        RunnerFailure(code: .blockedFormat, message: "\(what) are not opened; \(remedy)")
    }

    private enum Tag {
        static let bitsPerSample = 0x0102
        static let samplesPerPixel = 0x0115
        static let planarConfiguration = 0x011C
        static let tileWidth = 0x0142
    }
}
