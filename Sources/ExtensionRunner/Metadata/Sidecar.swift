// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import RunnerSupport

extension Incoming {
    /// The XMP files that came, that with the picture's whole name first.
    var sidecars: [OpenFile] { [.sidecar, .secondSidecar].compactMap { optional($0) } }
}

/// An XMP file beside a picture or video.
enum Sidecar {
    /// No program writes larger ones, in bytes.
    static let maximumBytes = XMPPacket.maximumLength

    /// Its packet; nil where it cannot be read, or is too large to be one.
    static func packet(of file: OpenFile) -> XMPPacket? {
        guard let length = file.length, length > 0, length <= maximumBytes,
            let bytes = Bytes(mapping: file, length: length)
        else { return nil }
        return XMPPacket(utf8(bytes.memory))
    }

    /// What the user is told of one that is not read.
    static var unreadable: String {
        "its XMP sidecar is ignored, because it is empty or larger than \(maximumBytes >> 20) MiB"
    }

    /// What such files say of a video, the first one first.
    static func facts(of files: [OpenFile]) -> SidecarFacts {
        let read = files.map(packet)
        let packets = read.compactMap(\.self)
        func first<Value>(_ property: (XMPPacket) -> Value?) -> Value? {
            packets.lazy.compactMap(property).first
        }
        let rating = packets.lazy.compactMap(\.rating).first(where: PhotoMetadata.ratings.contains)
        return SidecarFacts(
            creationDate: first(\.captureDate), location: first(\.location),
            metadata: PhotoMetadata(
                rating: rating,
                keywords: packets.lazy.map { $0.keywords }.first { !$0.isEmpty } ?? [],
                title: first { $0.title.flatMap(MetadataText.line) },
                descriptionText: first {
                    $0.descriptionText.flatMap { CameraWords.contains($0) ? nil : $0 }
                        .flatMap(MetadataText.lines)
                },
                label: first { $0.label.flatMap(MetadataText.line) }),
            warnings: packets.count < read.count ? [unreadable] : [])
    }

    /// XML is UTF-8 unless its first bytes say UTF-16, by a mark or by how `<` is written.
    private static func utf8(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFE, 0xFF): utf8(bytes.dropFirst(2), isBigEndian: true)
        case (0xFF, 0xFE): utf8(bytes.dropFirst(2), isBigEndian: false)
        case (0x00, UInt8(ascii: "<")): utf8(bytes[...], isBigEndian: true)
        case (UInt8(ascii: "<"), 0x00): utf8(bytes[...], isBigEndian: false)
        default:
            // Some programs write Latin-1, whether they declare it or not.
            String(validating: bytes, as: UTF8.self) == nil
                ? Array(String(windows1252: bytes).utf8) : Array(bytes)
        }
    }

    private static func utf8(
        _ bytes: Slice<UnsafeRawBufferPointer>, isBigEndian: Bool
    ) -> [UInt8] {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
