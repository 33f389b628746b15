// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Vips

/// Motion Photos of every kind, built byte by byte.
enum MotionPhotoFile {
    /// A video of one second, with sound.
    static func video() throws -> [UInt8] { try made.get() }

    private static let made = Result {
        let folder = try TemporaryFolder()
        try TestVideo.make(folder.file("video.mp4"), size: "64x48", seconds: 1, ["-g", "5"])
        return Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("video.mp4"))))
    }

    // MARK: - XMP

    /// The XMP that the specification requires of a Motion Photo.
    ///
    /// - Parameter items: Semantic, length and padding. Nil values are omitted.
    static func directory(
        _ items: [(semantic: String, length: Int?, padding: Int?)], time: Int? = 500_000,
        flag: String = "1", attributes more: String = ""
    ) -> String {
        let list = items.map { item in
            let length = item.length.map { " Item:Length=\"\($0)\"" } ?? ""
            let padding = item.padding.map { " Item:Padding=\"\($0)\"" } ?? ""
            let mime = item.semantic == "MotionPhoto" ? "video/mp4" : "image/jpeg"
            return "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Mime=\"\(mime)\" "
                + "Item:Semantic=\"\(item.semantic)\"\(length)\(padding)/></rdf:li>"
        }
        let stamp = time.map { " GCamera:MotionPhotoPresentationTimestampUs=\"\($0)\"" } ?? ""
        return PictureFacts.packet(
            "<Container:Directory><rdf:Seq>\(list.joined())</rdf:Seq></Container:Directory>",
            attributes: "xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\" "
                + "xmlns:Container=\"http://ns.google.com/photos/1.0/container/\" "
                + "xmlns:Item=\"http://ns.google.com/photos/1.0/container/item/\" "
                + "GCamera:MotionPhoto=\"\(flag)\" GCamera:MotionPhotoVersion=\"1\"\(stamp) \(more)"
        )
    }

    /// The usual XMP for a video of this length.
    static func directory(_ length: Int?, time: Int? = 500_000) -> String {
        directory([("Primary", 0, nil), ("MotionPhoto", length, nil)], time: time)
    }

    /// The XMP in use before the specification.
    static func microVideo(_ offset: String, time: String = "250000") -> String {
        PictureFacts.packet(
            "",
            attributes: "xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\" "
                + "GCamera:MicroVideo=\"1\" GCamera:MicroVideoVersion=\"1\" "
                + "GCamera:MicroVideoOffset=\"\(offset)\" "
                + "GCamera:MicroVideoPresentationTimestampUs=\"\(time)\"")
    }

    // MARK: - Files

    /// A JPEG file with this XMP, followed by other data.
    static func jpeg(_ packet: String, _ behind: [UInt8] = []) throws -> [UInt8] {
        let picture = try PictureFacts.picture()
        let contents = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
        let segment = [0xFF, 0xE1] + FileNumber.big(contents.count + 2, 2) + contents
        return picture.prefix(2) + segment + picture.dropFirst(2) + behind
    }

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        FileNumber.big(content.count + 8, 4) + Array(type.utf8) + content
    }

    /// Samsung's trailer with the video between two other parts.
    static func trailer(
        _ video: [UInt8], name: String = "MotionPhoto_Data", count: Int? = nil,
        distance: Int? = nil, length: Int? = nil, partLength: Int? = nil
    ) -> [UInt8] {
        let number = FileNumber.little
        var (parts, places): ([UInt8], [(start: Int, kind: Int, length: Int)]) = ([], [])
        for (kind, name, value) in [
            (0x0A01, "Image_UTC_Data", Array("1705124333853".utf8)), (0x0A30, name, video),
            (0x0AA1, "MCC_Data", Array("310".utf8)),
        ] {
            let part =
                number(0, 2) + number(kind, 2) + number(name.utf8.count, 4) + Array(name.utf8)
                + value
            places.append((parts.count, kind, part.count))
            parts += part
        }
        let entries = places.flatMap { place in
            number(0, 2) + number(place.kind, 2) + number(distance ?? parts.count - place.start, 4)
                + number(place.kind == 0x0A30 ? partLength ?? place.length : place.length, 4)
        }
        let list = Array("SEFH".utf8) + number(106, 4) + number(count ?? places.count, 4) + entries
        return parts + list + number(length ?? list.count, 4) + Array("SEFT".utf8)
    }

    // MARK: - The runner

    /// A runner's report on a file, with its warnings.
    static func report(_ bytes: [UInt8]) throws -> RenderReport {
        let file = try TestFile(bytes)
        let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
        let reply = try withExtendedLifetime(file) {
            try TestRunner().request(.run(job), [(.base, file.number)])
        }
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        return report
    }
}
