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
