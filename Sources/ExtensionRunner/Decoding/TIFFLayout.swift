// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

/// How a TIFF file lays out the pixels of its first picture, as far as libvips opens only some of it, or does not say
/// what the numbers are.
struct TIFFLayout {
    let reader: TIFFReader
    private let first: TIFFReader.Directory
    private let bits: [Int]
    /// Numbers of a pixel.
    private let samples: Int
    /// How these are compressed.
    private let compression: Int
    private let photometric: Int?

    /// Nil where the file has no directory that can be read.
    init?(_ bytes: Bytes) {
        guard let reader = TIFFReader(bytes), let first = reader.first else { return nil }
        self.reader = reader
        self.first = first
        bits = reader.integers(Tag.bitsPerSample, in: first) ?? [1]
        samples = reader.integers(Tag.samplesPerPixel, in: first)?.first ?? bits.count
        compression = reader.integers(Tag.compression, in: first)?.first ?? 1
        photometric = reader.integers(Tag.photometric, in: first)?.first
    }

    /// Why libvips does not open the file, in words that a photographer can do something with; nil where
    /// it is for no reason that the tags of the first picture tell.
    var refusal: RunnerFailure? {
        if let odd = bits.first(where: { $0 % 8 != 0 }), samples > 1 || ![1, 2, 4].contains(odd) {
            return Self.notOpened(
                "TIFF pictures with \(odd) bits per sample", "save it with 8 or 16 bits")
        }
        let isFloating = reader.integers(Tag.sampleFormat, in: first)?.first == 3
        if isFloating, let odd = bits.first(where: { $0 != 32 && $0 != 64 }) {
            return Self.notOpened(
                "TIFF pictures with floating point numbers of \(odd) bits",
                "save it with 32 bits per sample")
        }
        let isPlanar = reader.integers(Tag.planarConfiguration, in: first)?.first == 2
        if isPlanar, reader.integers(Tag.tileWidth, in: first) != nil {
            return Self.notOpened(
                "TIFF pictures with tiles in separate planes",
                "save it with the samples of a pixel together")
        }
        if isYCbCr,
            subsampling != [1, 1] || samples != 3 || ![[8, 8, 8], [16, 16, 16]].contains(bits)
        {
            return Self.notOpened(
                "TIFF pictures in YCbCr with subsampled colours and without JPEG compression",
                "save it in RGB")
        }
        return nil
    }

    private static func notOpened(_ what: String, _ remedy: String) -> RunnerFailure {
        RunnerFailure(code: .blockedFormat, message: "\(what) are not supported; \(remedy)")
    }

    // MARK: - What the numbers are

    /// Whether the numbers are brightness and colours, which libvips takes for RGB. Those of JPEG it has converted.
    var isYCbCr: Bool { photometric == 6 && compression != 6 && compression != 7 }

    /// How many columns and rows of pixels share their colours.
    private var subsampling: [Int] { reader.integers(Tag.subsampling, in: first) ?? [2, 2] }

    /// How many of the numbers of a pixel are colours; nil: libvips sees to it.
    var colorCount: Int? {
        guard compression != 6 else { return nil }
        return switch photometric {
        case 0, 1: 1
        case 2, 6: 3
        case 5: 4
        default: nil
        }
    }

    /// Which of the numbers behind the colours is alpha, from 0: the first that is said to be.
    var alpha: Int? { extras.firstIndex { $0 == 1 || $0 == 2 } }

    /// Whether the colours have been multiplied by alpha.
    var isAssociated: Bool { alpha.map { extras[$0] == 1 } ?? false }

    /// What the numbers behind the colours are.
    private var extras: [Int] { reader.integers(Tag.extraSamples, in: first) ?? [] }

    /// The share of red, green and blue in the brightness (by TIFF 6.0, section 21).
    var luminance: [Double] {
        let values = reader.rationals(Tag.coefficients, in: first)
        guard let values, values.count == 3, values.allSatisfy({ (0.01...0.99).contains($0) })
        else {
            return [0.299, 0.587, 0.114]
        }
        return values
    }

    /// Black and white of the brightness and of both colours; nil: by the number of bits.
    var references: [Double]? {
        let values = reader.rationals(Tag.referenceBlackWhite, in: first)
        guard let values, values.count == 6,
            [0, 2, 4].allSatisfy({ values[$0] + 1 <= values[$0 + 1] })
        else { return nil }
        return values
    }

    private enum Tag {
        static let bitsPerSample = 0x0102
        static let compression = 0x0103
        static let photometric = 0x0106
        static let samplesPerPixel = 0x0115
        static let planarConfiguration = 0x011C
        static let tileWidth = 0x0142
        static let extraSamples = 0x0152
        static let sampleFormat = 0x0153
        static let coefficients = 0x0211
        static let subsampling = 0x0212
        static let referenceBlackWhite = 0x0214
    }
}
