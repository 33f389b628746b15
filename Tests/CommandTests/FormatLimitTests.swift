// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Pictures that are too large for the requested format.
@Suite("format limits")
struct FormatLimitTests {
    private static let limits: [(format: String, name: String, side: Int)] = [
        ("webp", "WebP", 16_383), ("avif", "AVIF", 16_384), ("heic", "HEIC", 16_384),
        ("jpeg", "JPEG", 65_500), ("gif", "GIF", 65_535),
    ]

    private static func imported(_ bench: Workbench, width: Int) throws -> String {
        let path = try bench.folder.write(
            TestPicture.gradient(width: width, height: 2).encoded(),
            to: "photos/\(width).png")
        return try #require(try bench.json("import", path).first?["id"] as? String)
    }

    /// Expects the message for a picture that is one column too wide. It names the limit, and neither the extension nor
    /// the decoder.
    private static func expectLimit(
        _ result: ProcessResult, _ name: String, _ side: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(result.status == 64, "\(result.errors)", sourceLocation: sourceLocation)
        #expect(
            result.errors.contains(
                "\(side + 1)x2 pixels are too large for \(name), which allows at most \(side) a side"
            ),
            "\(result.errors)", sourceLocation: sourceLocation)
        for word in ["org.edithost", "decoded", "org.example"] {
            #expect(!result.errors.contains(word), sourceLocation: sourceLocation)
        }
    }

    @Test(
        "export reports the limit for edited and unedited photos, and writes another format",
        arguments: 0..<5)
    func export(index: Int) throws {
        let (format, name, side) = Self.limits[index]
        let bench = try Workbench(extensions: ["SepiaFilter"])
        let id = try Self.imported(bench, width: side + 1)
        let out = bench.folder.file("out")
        Self.expectLimit(try bench.run("export", id, "--format", format, "--to", out), name, side)
        #expect(try bench.run("edit", id, "--with", "sepia").status == 0)
        Self.expectLimit(try bench.run("export", id, "--format", format, "--to", out), name, side)
        // Neither the extension nor the picture is blamed.
        let failed = try bench.json("extensions", "quarantine", "list")
        #expect(failed.isEmpty)
        #expect(try bench.run("export", id, "--format", "tiff", "--to", out).status == 0)
        let smaller = try bench.run(
            "export", id, "--format", format, "--size", "\(side)x\(side)", "--to", out)
        guard format == "heic" else {
            #expect(smaller.status == 0, "\(smaller.errors)")
            return
        }
        // x265 requires more than two rows, so the encoder fails.
        #expect(smaller.errors.contains("cannot be encoded as HEIC"), "\(smaller.errors)")
        for word in ["decoded", "org.edithost"] { #expect(!smaller.errors.contains(word)) }
    }

    @Test("image --output reports the limit and writes a picture exactly at it")
    func image() throws {
        let bench = try Workbench()
        let id = try Self.imported(bench, width: 65_501)
        let path = bench.folder.file("image.jpg")
        Self.expectLimit(try bench.run("image", id, "--output", path), "JPEG", 65_500)
        #expect(!FileManager.default.fileExists(atPath: path))
        let other = try Self.imported(bench, width: 65_500)
        #expect(try bench.run("image", other, "--output", path).status == 0)
    }
}
