// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials

/// An XMP file next to a picture or video, or a JSON file of Google Takeout.
package enum Sidecar {
    /// The maximum length that is read, in bytes. No program writes larger files.
    static let maximumBytes = XMPPacket.maximumLength

    /// Returns the packet of a file; `nil` if the file is unreadable, empty, or too large.
    package static func packet(of file: OpenFile) -> XMPPacket? {
        guard let length = file.length, length > 0, length <= maximumBytes,
            let bytes = Bytes(mapping: file, length: length)
        else { return nil }
        return XMPPacket(utf8(bytes.memory))
    }

    /// Returns the facts in a file.
    package static func facts(of file: OpenFile) -> SidecarFacts {
        if let length = file.length, length > 0, length <= maximumBytes,
            let bytes = Bytes(mapping: file, length: length), TakeoutSidecar.isJSON(bytes.memory)
        {
            return TakeoutSidecar.facts(of: bytes.memory)
        }
        guard let packet = packet(of: file) else {
            return SidecarFacts(
                problem: "it is empty or larger than \(maximumBytes >> 20) MiB")
        }
        let description = packet.descriptionText.flatMap {
            DefaultDescriptions.contains($0) ? nil : MetadataText.lines($0)
        }
        var facts = SidecarFacts(
            creationDate: packet.captureDate, location: packet.location,
            metadata: PhotoMetadata(
                rating: packet.rating, keywords: packet.keywords,
                title: packet.title.flatMap(MetadataText.line), descriptionText: description,
                creator: packet.creator.flatMap(MetadataText.line),
                copyright: packet.copyright.flatMap(MetadataText.line),
                label: packet.label.flatMap(MetadataText.line), exposureTime: packet.exposureTime),
            changeDate: packet.changeDate,
            problem: packet.isComplete ? nil : "it is truncated, or not XML")
        facts.hasOutdatedKeywords = packet.hasOutdatedPaths
        return facts
    }

    /// Converts XML to UTF-8.
    private static func utf8(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        if let text = XMPPacket.utf8(utf16: bytes) { return text }
        // Some programs write Latin-1, with or without a declaration.
        return String(validating: bytes, as: UTF8.self) == nil
            ? Array(String(windows1252: bytes).utf8) : Array(bytes)
    }
}
