// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What kinds of picture a file is by the further pictures that it has beside its own.
struct FileMarks {
    private let bytes: Bytes
    private let format: MediaFormat

    /// - Parameters:
    ///   - bytes: The file.
    ///   - format: Its format.
    init(_ bytes: Bytes, _ format: MediaFormat) {
        self.bytes = bytes
        self.format = format
    }

    /// The kinds.
    var mediaSubtypes: MediaSubtype {
        switch format {
        case .jpeg: JPEGMarks(bytes).mediaSubtypes
        case .heic, .avif: boxed
        // The box that JPEG XL has for a gain map.
        case .jxl: BoxReader(bytes).contents("jhgm") == nil ? [] : .photoHDR
        default: []
        }
    }

    /// How many frames an animated PNG says it has (PNG, third edition, 11.3.6.1); nil for another file.
    var frameCount: Int? {
        guard format == .png else { return nil }
        return PNGColors.contents(of: "acTL", in: bytes)
            .flatMap { bytes.number($0.lowerBound, 4, bigEndian: true) }
            .flatMap { (1..<1 << 31).contains($0) ? Int($0) : nil }
    }

    /// Whether a HEIF file has a sequence of pictures (ISO/IEC 23008-12, 7), beside a collection of such or none.
    var isSequence: Bool {
        let boxes = BoxReader(bytes)
        return !Self.sequences.isDisjoint(with: boxes.brands) && boxes.contents("moov") != nil
    }

    private static let sequences: Set<String> = ["msf1", "avis", "hevc", "hevx"]

    /// What lies beside the picture.
    var companions: Set<PhotoFacts.Companion> {
        var found: Set<PhotoFacts.Companion> = []
        switch format {
        case .jpeg:
            let marks = JPEGMarks(bytes)
            found = Set(marks.auxiliaryTypes.compactMap(PhotoFacts.Companion.init(urn:)))
            if marks.containsGainMap { found.insert(.gainMap) }
        case .heic, .avif:
            guard let items = HEIFItems(bytes) else { return [] }
            found = Set(items.auxiliaryTypes.compactMap(PhotoFacts.Companion.init(urn:)))
            if items.itemTypes.contains("tmap") { found.insert(.gainMap) }
        case .jxl:
            if BoxReader(bytes).contents("jhgm") != nil { found = [.gainMap] }
        default: break
        }
        return found
    }

    private var boxed: MediaSubtype {
        let boxes = BoxReader(bytes)
        var subtypes: MediaSubtype = []
        if let items = HEIFItems(bytes) {
            for type in items.auxiliaryTypes {
                subtypes.formUnion(XMPPacket.auxiliarySubtypes(type))
            }
            // ISO 21496-1: a picture that is made of another one and its gain map.
            if items.itemTypes.contains("tmap") { subtypes.insert(.photoHDR) }
        }
        if boxes.brands.contains("tmap") { subtypes.insert(.photoHDR) }
        return subtypes
    }
}

extension PhotoFacts.Companion {
    /// By the name of an auxiliary picture's use; nil: it is none of these, such as alpha.
    fileprivate init?(urn: String) {
        let name = urn.lowercased()
        if name.hasSuffix("hdrgainmap") {
            self = .gainMap
        } else if name.hasSuffix("matte") {
            self = .mattes
        } else if name.hasSuffix(":depth") || name.hasSuffix(":disparity")
            || name == "urn:mpeg:hevc:2015:auxid:2" || name == "urn:mpeg:avc:2015:auxid:2"
        {
            self = .depthData
        } else {
            return nil
        }
    }
}
