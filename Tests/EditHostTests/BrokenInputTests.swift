// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing
import Vips

/// Truncated and invalid pictures never give a partial picture or a partial file.
@Suite("broken pictures")
struct BrokenInputTests {
    /// Real pictures whose pixels are most of the file.
    private static let names = [
        "photos/orientation/landscape_2.jpg", "reference/chelsea.png", "photos/tiff/BigTIFF.tif",
        "photos/webp/Alpha Lossy (1).webp", "photos/heic/IMG_0102.HEIC",
    ]

    private static func bytes(_ name: String) throws -> Data {
        let folder = try #require(BuildProducts.corpus)
        return try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    }

    @Test(
        "a picture truncated at each tenth is rejected by import, edit and export",
        .corpus, arguments: names)
    func truncated(name: String) async throws {
        let whole = try Self.bytes(name)
        let studio = try TestStudio()
        let asset = try await studio.add(whole, named: "whole")
        let blob = try #require(try studio.library.history(ofAsset: asset).original?.blob)
        let path = studio.blobPath(blob)
        for tenths in 1...9 {
            let part = whole.prefix(whole.count * tenths / 10)
            let imported = await #expect(throws: HostError.self, "\(tenths)/10") {
                try await studio.add(part, named: "part")
            }
            #expect([.badInput, .blockedFormat].contains(imported?.code), "\(imported as Any)")

            // The library's own file is truncated, as by a failing disk.
            try #require(chmod(path, 0o644) == 0)
            try part.write(to: URL(fileURLWithPath: path))
            let edited = await #expect(throws: LibraryError.self, "\(tenths)/10") {
                try await studio.edit(asset)
            }
            #expect(edited?.code == .originalDamaged, "\(tenths)/10: \(edited as Any)")
            #expect(edited?.assetIdentifier == asset)
            try await expectNoExport(asset, studio)
        }
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        #expect(try studio.library.assetCount == 1)
        try whole.write(to: URL(fileURLWithPath: path))
        try #require(chmod(path, 0o444) == 0)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        #expect(try await studio.edit(asset).status == .committed)
        await studio.host.shutDown()
    }

    private func expectNoExport(_ asset: String, _ studio: TestStudio) async throws {
        let folder = studio.folder.file("out")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        var options = ExportOptions()
        options.format = .png
        let error = await #expect(throws: LibraryError.self) {
            try await studio.host.export(asset, from: studio.library, to: folder, options)
        }
        #expect(error?.code == .originalDamaged)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test("an empty file and random bytes with a picture signature are rejected")
    func randomBytes() async throws {
        let studio = try TestStudio()
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let beginnings: [[UInt8]] = [
            [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
            Array("II*\0".utf8), Array("RIFF\0\0\0\0WEBPVP8 ".utf8), Array("GIF89a".utf8),
            [0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8), [0xFF, 0x0A],
        ]
        var files = [Data()]
        for beginning in beginnings {
            files.append(Data(beginning))
            for _ in 0..<5 {
                files.append(Data(beginning) + Fuzz.bytes(2000, using: &random))
            }
        }
        for (index, file) in files.enumerated() {
            let error = await #expect(throws: HostError.self, "\(index), seed \(seed)") {
                try await studio.add(file, named: "file\(index)")
            }
            let codes: [HostError.Code] = [.badInput, .blockedFormat, .runnerFailed]
            #expect(error.map { codes.contains($0.code) } == true, "\(error as Any), seed \(seed)")
        }
        #expect(try studio.library.assetCount == 0)
        #expect(try await !studio.add(.gradient()).isEmpty)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test(
        "dubious files are rejected, or imported, edited and exported completely",
        .corpus)
    func dubious() async throws {
        let folder = "\(try #require(BuildProducts.corpus))/broken"
        let studio = try TestStudio()
        let target = studio.folder.file("out")
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        var options = ExportOptions()
        options.format = .png
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            do {
                let asset = try await studio.add(Self.bytes("broken/\(name)"), named: name)
                try await studio.edit(asset, "adder", ["amount": "1"])
                let path = try await studio.host.export(
                    asset, from: studio.library, to: target, options)
                let picture = try TestPicture(
                    decoding: Data(contentsOf: URL(fileURLWithPath: path)))
                #expect(try picture.samples == studio.current(asset).samples, "\(name)")
                try FileManager.default.removeItem(atPath: path)
            } catch let error as HostError {
                #expect(error.extensionIdentifier == nil, "\(name): \(error)")
            }
            let left = try ExportedFiles.names(in: target)
            #expect(left == [], "\(name)")
        }
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test("formats that libvips or ImageMagick may open but edithost does not are blocked")
    func blocked() async throws {
        let studio = try TestStudio()
        let tail = Data(repeating: 0, count: 600)
        let files: [(String, Data)] = [
            ("a.svg", Data("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\"/>".utf8)),
            ("a.svgz", Data([0x1F, 0x8B, 8, 0])), ("a.pdf", Data("%PDF-1.7\n".utf8)),
            ("a.jp2", Data([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A])),
            ("a.j2k", Data([0xFF, 0x4F, 0xFF, 0x51])), ("a.psd", Data("8BPS\0\u{1}".utf8)),
            ("a.exr", Data([0x76, 0x2F, 0x31, 0x01])), ("a.hdr", Data("#?RADIANCE\n".utf8)),
            ("a.bmp", Data([0x42, 0x4D, 60, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0])),
            ("a.ppm", Data("P6 2 2 255\n".utf8)), ("a.fits", Data("SIMPLE  =   T".utf8)),
            ("a.pcx", Data([0x0A, 5, 1, 8])), ("a.xcf", Data("gimp xcf file".utf8)),
            ("a.ico", Data([0, 0, 1, 0, 1, 0])), ("a.xpm", Data("/* XPM */".utf8)),
            ("a.tga", Data([0, 0, 2, 0, 0, 0, 0, 0])), ("a.mat", Data("MATLAB 5.0".utf8)),
            ("a.mvg", Data("push graphic-context\nimage over 0,0 9,9 '/etc/passwd'".utf8)),
            ("a.msl", Data("<?xml version=\"1.0\"?><image><read filename=\"/x\"/>".utf8)),
            ("a.eps", Data("%!PS-Adobe-3.0 EPSF-3.0\n".utf8)),
            ("a.v", Data([8, 0xF2, 0xA6, 0xB6])),
            ("a.csv", Data("1,2\n3,4\n".utf8)), ("a.dcm", Data(count: 128) + Data("DICM".utf8)),
        ]
        for (name, data) in files {
            let error = await #expect(throws: HostError.self, "\(name)") {
                try await studio.add(data + tail, named: name)
            }
            #expect(error?.code == .blockedFormat, "\(name): \(error as Any)")
        }
        #expect(try studio.library.assetCount == 0)
        await studio.host.shutDown()
    }
}

extension BrokenInputTests {
    @Test("the libraries for unsupported formats are not loaded")
    func libraries() async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildAdder(defines: ["TELLS_LIBRARIES", "_GNU_SOURCE"], in: $0)
            })
        try await studio.edit(try await studio.add(.gradient()))
        let loaded = studio.log.lines.filter { $0.contains(".so") }
        #expect(loaded.contains { $0.contains("libvips.so") })
        #expect(loaded.contains { $0.contains("libheif.so") })
        for name in ["Magick", "openslide", "poppler"] {
            #expect(!loaded.contains { $0.contains(name) }, "\(name)")
        }
        await studio.host.shutDown()
    }
}

extension PhotoLibrary {
    fileprivate var assetCount: Int {
        get throws { try Asset.fetchAssets(in: self).count }
    }
}
