// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// The parts of files that determine the pixels, by which an original is recognised after a program changed its metadata.
@Suite("image data in files")
struct ImageDataTests {
    private static let tags = [
        "-XMP-xmp:Rating=4", "-XMP-dc:Subject=harbour", "-EXIF:Artist=A. Painter",
        "-XMP-dc:Description=A description that is long enough to move what follows it.",
    ]

    /// The bytes of the ranges that a runner reports for a file.
    private func imageData(_ file: TestFile, _ shared: TestRunner? = nil) throws -> [UInt8] {
        let runner = try shared ?? TestRunner()
        let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
        let reply = try runner.request(.run(job), [(.base, file.number)])
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        return try #require(report.imageData).flatMap { file.bytes[$0] }
    }

    @Test(
        "a program that changes metadata leaves the image data unchanged",
        arguments: ["jpeg", "png", "webp", "tiff", "heic"])
    func tagging(format: String) throws {
        let picture = try PictureFacts.picture(format)
        let ending = format == "jpeg" ? "jpg" : format
        let tool = try ExifTool()
        let plain = try tool.tagging(picture, ending, ["-XMP-dc:Title=before"])
        let tagged = try tool.tagging(plain.bytes, ending, Self.tags)
        #expect(plain.bytes != tagged.bytes)
        let data = try imageData(plain)
        #expect(try data == imageData(tagged))
        // HEIC has the highest proportion of other data, such as boxes and properties.
        #expect(data.count > picture.count / 3)
    }

    @Test("one changed pixel changes the image data", arguments: ["jpeg", "png", "webp", "tiff"])
    func pixel(format: String) throws {
        var other = TestSupport.TestPicture.gradient()
        let picture = other
        other.samples[0] ^= 0x80
        let data = try [picture, other].map { picture in
            try imageData(TestFile(Array(picture.encoded(format))))
        }
        #expect(data[0] != data[1])
    }

    @Test("another colour profile changes the image data", arguments: ["jpeg", "png", "tiff"])
    func profile(format: String) throws {
        let tool = try ExifTool()
        let plain = try PictureFacts.picture(format)
        let profile = try tool.file(try TestProfile.named("p3"), "profile.icc")
        let ending = format == "jpeg" ? "jpg" : format
        let tagged = try tool.tagging(plain, ending, ["-ICC_Profile<=\(profile)"])
        #expect(try imageData(TestFile(plain)) != imageData(tagged))
    }

    @Test("ExifTool changes no image data of real photos", .corpus)
    func corpus() throws {
        let formats: Set<String> = ["JPEG", "PNG", "APNG", "Extended WEBP", "HEIC", "AVIF", "TIFF"]
        let rows = try Corpus.photos().filter { formats.contains($0["format"] ?? "") }
        let tool = try ExifTool()
        let runner = try TestRunner()
        var changed = 0
        for row in rows {
            let path = try Corpus.path(try #require(row["path"]))
            let plain = try TestFile(path: path)
            let ending = (path as NSString).pathExtension
            // ExifTool cannot write all of the files.
            guard let tagged = try? tool.tagging(plain.bytes, ending, Self.tags) else { continue }
            changed += 1
            #expect(try imageData(plain, runner) == imageData(tagged, runner), "\(path)")
        }
        #expect(changed > 20)
    }
}
