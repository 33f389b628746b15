// SPDX-License-Identifier: Apache-2.0

import ImageMetadata
import RunnerProtocol

/// The pixel layout of the first picture of a TIFF file. Covers layouts that libvips cannot open or does not
/// interpret.
struct TIFFLayout {
    let reader: TIFFReader
    private let first: TIFFReader.Directory
    private let bits: [Int]
    /// The number of samples per pixel.
    private let samples: Int
    private let compression: Int
    private let photometric: Int?

    /// Creates the layout; `nil` if the file has no readable directory.
    init?(_ bytes: Bytes) {
        guard let reader = TIFFReader(bytes), let first = reader.first else { return nil }
        self.reader = reader
        self.first = first
        bits = reader.integers(ExifTag.bitsPerSample, in: first) ?? [1]
        samples = reader.integers(ExifTag.samplesPerPixel, in: first)?.first ?? bits.count
        compression = reader.integers(ExifTag.compression, in: first)?.first ?? 1
        photometric = reader.integers(ExifTag.photometricInterpretation, in: first)?.first
    }

    /// The failure for a layout that libvips cannot open, with a remedy for the user. `nil` if the tags of the first
    /// picture show no such layout.
    var refusal: RunnerFailure? {
        if let odd = bits.first(where: { $0 % 8 != 0 || $0 > 32 && !isFloating }),
            samples > 1 || ![1, 2, 4].contains(odd)
        {
            return Self.notOpened(
                "TIFF pictures with \(odd) bits per sample", "save it with 8 or 16 bits")
        }
        if isFloating, let odd = bits.first(where: { $0 != 32 }) {
            return Self.notOpened(
                "TIFF pictures with floating point numbers of \(odd) bits",
                "save it with 32 bits per sample")
        }
        let isPlanar = reader.integers(ExifTag.planarConfiguration, in: first)?.first == 2
        if isPlanar, reader.integers(ExifTag.tileWidth, in: first) != nil {
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

    private var isFloating: Bool {
        reader.integers(ExifTag.sampleFormat, in: first)?.first == 3
    }

    private static func notOpened(_ what: String, _ remedy: String) -> RunnerFailure {
        RunnerFailure(code: .blockedFormat, message: "\(what) are not supported; \(remedy)")
    }

    // MARK: - Sample interpretation

    /// Whether the samples are YCbCr, which libvips treats as RGB. It converts JPEG-compressed YCbCr itself.
    var isYCbCr: Bool { photometric == 6 && compression != 6 && compression != 7 }

    /// The number of columns and rows of pixels that share their chroma samples.
    private var subsampling: [Int] {
        reader.integers(ExifTag.yCbCrSubSampling, in: first) ?? [2, 2]
    }

    /// The number of colour samples per pixel; `nil` if libvips handles them.
    var colorCount: Int? {
        guard compression != 6 else { return nil }
        return switch photometric {
        case 0, 1: 1
        case 2, 6: 3
        case 5: 4
        default: nil
        }
    }

    /// The index of the first extra sample marked as alpha, from 0.
    var alpha: Int? { extras.firstIndex { $0 == 1 || $0 == 2 } }

    /// Whether the colours are premultiplied with alpha.
    var isAssociated: Bool { alpha.map { extras[$0] == 1 } ?? false }

    /// Returns a copy of the file that marks premultiplied alpha as straight; `nil` unless libvips would lose it: it
    /// clips alpha of 32-bit integers to 8 bits when it divides by it.
    func markedAsStraight(_ bytes: Bytes) -> Bytes? {
        guard isAssociated, colorCount != nil, !isFloating, bits.allSatisfy({ $0 == 32 }),
            let entry = first.entries[ExifTag.extraSamples],
            let size = TIFFReader.size(ofType: entry.type)
        else { return nil }
        var copy = Array(bytes.memory)
        for (index, kind) in extras.enumerated() where kind == 1 {
            let place = entry.offset + index * size + (reader.isBigEndian ? size - 1 : 0)
            guard copy.indices.contains(place) else { return nil }
            copy[place] = 2
        }
        return Bytes(copy)
    }

    /// The types of the extra samples.
    private var extras: [Int] { reader.integers(ExifTag.extraSamples, in: first) ?? [] }

    /// The luma coefficients of red, green and blue (TIFF 6.0, section 21).
    var luminance: [Double] {
        let values = reader.rationals(ExifTag.yCbCrCoefficients, in: first)
        guard let values, values.count == 3, values.allSatisfy({ (0.01...0.99).contains($0) })
        else {
            return [0.299, 0.587, 0.114]
        }
        return values
    }

    /// The reference black and white of luma and both chroma components; `nil` for the defaults of the bit depth.
    var references: [Double]? {
        let values = reader.rationals(ExifTag.referenceBlackWhite, in: first)
        guard let values, values.count == 6,
            [0, 2, 4].allSatisfy({ values[$0] + 1 <= values[$0 + 1] })
        else { return nil }
        return values
    }
}
