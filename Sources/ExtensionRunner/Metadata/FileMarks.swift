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
