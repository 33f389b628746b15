// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What kinds of picture a file is by what it has beside its picture: further pictures, a video.
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
        case .jpeg:
            JPEGMarks(bytes).mediaSubtypes.union(
                SamsungTrailer.isOfMotionPhoto(bytes, end: bytes.count) ? .photoLive : [])
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
        let hasTrailer = boxes.contents("sefd").map {
            SamsungTrailer.isOfMotionPhoto(bytes, end: $0.upperBound)
        }
        if boxes.contents("mpvd")?.isEmpty == false || hasTrailer == true {
            subtypes.insert(.photoLive)
        }
        return subtypes
    }
}

/// What Samsung's phones put behind a picture: parts with names, and a list of where they are.
enum SamsungTrailer {
    /// No picture has more parts.
    private static let maximumParts = 1024
    private static let videoName = "MotionPhoto_Data"

    /// Whether a trailer that ends here has a motion photo's video, or tells of one.
    static func isOfMotionPhoto(_ bytes: Bytes, end: Int) -> Bool {
        guard bytes.has("SEFT", at: end - 4), let length = number(bytes, end - 8, 4) else {
            return false
        }
        let list = end - 8 - length
        guard bytes.has("SEFH", at: list), let count = number(bytes, list + 8, 4) else {
            return false
        }
        return (0..<min(count, maximumParts)).contains { index in
            // Two numbers that say what it is, how far before the list it begins, and its length.
            guard let distance = number(bytes, list + 12 + index * 12 + 4, 4) else { return false }
            let part = list - distance
            return number(bytes, part + 4, 4) == videoName.utf8.count
                && bytes.has(videoName, at: part + 8)
        }
    }

    private static func number(_ bytes: Bytes, _ offset: Int, _ length: Int) -> Int? {
        bytes.number(offset, length, bigEndian: false).map(Int.init)
    }
}
