// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes the stills and videos of Live Photos, with Apple's identifiers.
public enum TestLivePhoto {
    /// The tag of a Live Photo's content identifier in Apple's maker note.
    public static let contentIdentifierTag = 17

    /// A JPEG with Apple's maker note, which contains one string of 36 characters.
    ///
    /// - Parameters:
    ///   - picture: The pixels.
    ///   - tag: The tag in the maker note: 11 for bursts, 17 for Live Photos.
    ///   - text: The string, padded or truncated.
    public static func jpeg(_ picture: TestPicture, tag: Int, _ text: String) throws -> Data {
        func word(_ number: Int, _ length: Int) -> [UInt8] {
            (0..<length).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
            word(tag, 2) + word(type, 2) + word(count, 4) + word(value, 4)
        }
        // The string follows the only entry of the note.
        let name = Array(text.padding(toLength: 36, withPad: "-", startingAt: 0).utf8) + [0]
        let note =
            Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + word(1, 2)
            + entry(tag, 2, name.count, 14 + 2 + 12 + 4) + word(0, 4) + name
        // Two directories of one entry each. The second is the EXIF one, followed by the note.
        let tiff =
            Array("MM\0*".utf8) + word(8, 4) + word(1, 2) + entry(0x8769, 4, 1, 26) + word(0, 4)
            + word(1, 2) + entry(0x927C, 7, note.count, 44) + word(0, 4) + note
        let exif = Array("Exif\0\0".utf8) + tiff
        let segment = [0xFF, 0xE1] + word(exif.count + 2, 2) + exif
        let data = try picture.encoded("jpeg", options: ["Q": 95])
        return data.prefix(2) + Data(segment) + data.dropFirst(2)
    }

    /// Writes the still of a Live Photo.
    public static func makeStill(
        _ path: String, _ identifier: String, width: Int = 160, height: Int = 120
    ) throws {
        try jpeg(
            .gradient(width: width, height: height), tag: contentIdentifierTag, identifier
        ).write(to: URL(fileURLWithPath: path))
    }

    /// A Motion Photo as written by Google's cameras: a JPEG followed by a video.
    ///
    /// - Parameter time: The time of the still in microseconds from the start of the video.
    public static func motionPhoto(
        _ picture: TestPicture, video: Data, time: Int
    ) throws -> Data {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"
            xmlns:Container="http://ns.google.com/photos/1.0/container/"
            xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
            GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1"
            GCamera:MotionPhotoPresentationTimestampUs="\(time)">
            <Container:Directory><rdf:Seq>
            <rdf:li rdf:parseType="Resource">
            <Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary"/></rdf:li>
            <rdf:li rdf:parseType="Resource">
            <Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto" Item:Length="\(video.count)"/>
            </rdf:li></rdf:Seq></Container:Directory></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let contents = Data("http://ns.adobe.com/xap/1.0/\0".utf8) + Data(packet.utf8)
        let length = contents.count + 2
        let segment = Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)]) + contents
        let data = try picture.encoded("jpeg", options: ["Q": 95])
        return data.prefix(2) + segment + data.dropFirst(2) + video
    }

    /// Writes the video of a Live Photo, with sound.
    public static func makeVideo(
        _ path: String, _ identifier: String?, size: String = "96x72", seconds: Int = 1
    ) throws {
        let key = "com.apple.quicktime.content.identifier"
        try TestVideo.make(
            path, size: size, seconds: seconds,
            ["-movflags", "use_metadata_tags"]
                + (identifier.map { ["-metadata", "\(key)=\($0)"] } ?? []))
    }
}
