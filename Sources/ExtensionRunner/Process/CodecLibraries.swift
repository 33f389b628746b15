// SPDX-License-Identifier: Apache-2.0

import CInterposition
import Glibc
import RunnerProtocol

/// The codec libraries of libvips' loaders whose versions differ in the formats they support.
enum CodecLibraries {
    /// The facts about the libraries loaded in this process.
    static var facts: [CodecFacts] { [heif, jpeg].compactMap(\.self) }

    private typealias Text = @convention(c) () -> UnsafePointer<CChar>?
    private typealias Question = @convention(c) (Int32) -> Int32

    private static var heif: CodecFacts? {
        guard let library = loaded("libheif.so.1") else { return nil }
        defer { dlclose(library) }
        let version = dlsym(library, "heif_get_version")
            .map { unsafeBitCast($0, to: Text.self) }?()
        // The values of `enum heif_compression_format`.
        let formats: [(name: String, number: Int32)] = [("HEVC", 1), ("AV1", 4), ("JPEG 2000", 7)]
        let abilities = [("decodes", "decoder"), ("encodes", "encoder")].compactMap { verb, word in
            let question = dlsym(library, "heif_have_\(word)_for_format")
                .map { unsafeBitCast($0, to: Question.self) }
            let names = formats.filter { (question?($0.number) ?? 0) != 0 }.map(\.name)
            return names.isEmpty ? nil : "\(verb) \(names.joined(separator: ", "))"
        }
        return CodecFacts(
            name: "libheif", version: version.map { String(cString: $0) },
            file: file(of: dlsym(library, "heif_get_version")), abilities: abilities)
    }

    /// The facts about libjpeg. It has no version function; its filename contains the version.
    private static var jpeg: CodecFacts? {
        guard let library = loaded("libjpeg.so.62") ?? loaded("libjpeg.so.8") else { return nil }
        defer { dlclose(library) }
        // Available since libjpeg-turbo 3, which supports 12 bits. libvips must support them, too.
        let isDeep = dlsym(library, "jpeg12_read_scanlines") != nil
        return CodecFacts(
            name: "libjpeg", version: nil, file: file(of: dlsym(library, "jpeg_std_error")),
            abilities: [isDeep ? "8 and 12 bits" : "8 bits"])
    }

    /// Returns a handle of a loaded library. Never loads one.
    private static func loaded(_ name: String) -> UnsafeMutableRawPointer? {
        dlopen(name, RTLD_LAZY | RTLD_NOLOAD)
    }

    /// Returns the path from which the library of a symbol was loaded.
    private static func file(of symbol: UnsafeMutableRawPointer?) -> String? {
        interposition_file_of(symbol).map { String(cString: $0) }
    }
}
