// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The media subtypes that follow from the auxiliary pictures in a file.
package struct AuxiliaryPictures {
    private let bytes: Bytes
    private let format: MediaFormat

    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - format: The format of the file.
    package init(_ bytes: Bytes, _ format: MediaFormat) {
        self.bytes = bytes
        self.format = format
    }

    /// The media subtypes.
    package var mediaSubtypes: MediaSubtype {
        switch format {
        case .jpeg: JPEGAuxiliaryPictures(bytes).mediaSubtypes
        case .heic, .avif: boxed
        // This is the gain map box of JPEG XL.
        case .jxl: BoxReader(bytes).contents("jhgm") == nil ? [] : .photoHDR
        default: []
        }
    }

    /// The declared number of frames of an animated PNG (PNG, third edition, 11.3.6.1); `nil` for other files.
    package var frameCount: Int? {
        guard format == .png else { return nil }
        return PNGChunk.header(of: bytes).first { $0.type == "acTL" }
            .flatMap { bytes.number($0.contents.lowerBound, 4, bigEndian: true) }
            .flatMap { (1..<1 << 31).contains($0) ? Int($0) : nil }
    }

    /// Whether a HEIF file contains an image sequence (ISO/IEC 23008-12, 7), with or without an image collection.
    package var isSequence: Bool {
        let boxes = BoxReader(bytes)
        return !Self.sequences.isDisjoint(with: boxes.brands) && boxes.contents("moov") != nil
    }

    private static let sequences: Set<String> = ["msf1", "avis", "hevc", "hevx"]

    /// The kinds of auxiliary data stored with the picture.
    package var companions: Set<PhotoFacts.Companion> {
        var found: Set<PhotoFacts.Companion> = []
        switch format {
        case .jpeg:
            let pictures = JPEGAuxiliaryPictures(bytes)
            found = Set(pictures.auxiliaryTypes.compactMap(PhotoFacts.Companion.init(urn:)))
            if pictures.containsGainMap { found.insert(.gainMap) }
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
            // ISO 21496-1: a picture derived from another one and its gain map.
            if items.itemTypes.contains("tmap") { subtypes.insert(.photoHDR) }
        }
        if boxes.brands.contains("tmap") { subtypes.insert(.photoHDR) }
        return subtypes
    }
}

extension PhotoFacts.Companion {
    /// Creates the kind from the URN of an auxiliary picture. Returns `nil` for other uses, such as alpha.
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
