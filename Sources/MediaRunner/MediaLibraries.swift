// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import ImageMetadata
import RunnerProtocol

/// Facts about FFmpeg's libraries.
enum MediaLibraries {
    /// The enabled I/O protocols, with which a file could make FFmpeg open other files.
    private static var protocols: [String] {
        String(cString: cmedia_protocols).split(separator: ",").map(String.init)
    }

    /// The versions, abilities and licence of the libraries.
    static var facts: [CodecFacts] {
        var (format, codec) = ([CChar](repeating: 0, count: 32), [CChar](repeating: 0, count: 32))
        cmedia_versions(&format, &codec)
        return [
            CodecFacts(
                name: "libavformat", version: text(format), file: nil,
                abilities: ["opens \(list(cmedia_containers))"]),
            CodecFacts(
                name: "protocols", version: protocols.isEmpty ? "none" : nil, file: nil,
                abilities: protocols),
            CodecFacts(
                name: "libavcodec", version: text(codec), file: nil,
                abilities: [
                    "decodes \(list(cmedia_codecs))",
                    "copies sound; \(list(cmedia_sound_codecs)) are recognised",
                    "licence: \(String(cString: cmedia_license()))",
                ]),
            CodecFacts(
                name: "color conversion", version: conversionVersion, file: nil,
                abilities: ["4:2:0 and 4:4:4 of 8 bits; the rest by libswscale"]),
            CodecFacts(
                name: "timed metadata", version: TimedMetadataCopier.version, file: nil,
                abilities: ["kept in MOV"]),
        ] + ["libx264", "libx265"].compactMap(encoder)
    }

    /// The version of the colour conversion. It is incremented whenever decoded or encoded pixels change.
    private static let conversionVersion = "3"

    /// Returns the facts of an encoder library by its build ID, since its version is unavailable at run time.
    private static func encoder(_ name: String) -> CodecFacts? {
        var build = [CChar](repeating: 0, count: 17)
        guard cmedia_build("\(name).so", &build) else { return nil }
        return CodecFacts(
            name: name, version: "build \(text(build))", file: nil, abilities: ["encodes"])
    }

    private static func list(_ names: UnsafePointer<CChar>) -> String {
        String(cString: names).split(separator: ",").joined(separator: ", ")
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
