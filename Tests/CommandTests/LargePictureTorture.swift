// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing
import Vips

/// A 61-megapixel picture, as from a camera, read out of order.
@Suite("a large picture", .torture)
struct LargePictureTorture {
    @Test("a quarter turn of 61 megapixels creates no temporary file")
    func temporaryFiles() throws {
        let bench = try Workbench(extensions: ["CropRotate"])
        try VipsLibrary.initialize()
        let noise = try Image(
            bytes: (0..<9504 * 3).map { UInt8($0 * 7 % 251) }, width: 9504, height: 1, bands: 3,
            format: .uchar, interpretation: .srgb)
        let large = try noise.applying("replicate", ["across": 1, "down": 6336])
        let path = try bench.folder.write(
            Data(large.encoded(saver: "jpegsave_buffer", options: ["Q": 90])), to: "large.jpg")
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        let before = try Self.files(in: bench.folder.path)
        let command = try RunningCommand(
            bench, ["edit", id, "--with", "croprotate", "--set", "turns=1"])
        // libvips would decompress into a 180 MB file; staging holds the encoded picture.
        var largest = 0
        var opened: Set<String> = []
        while Children.isRunning(command.pid) {
            largest = max(largest, Self.largest(in: bench.folder.file("tmp")))
            for process in [command.pid] + Children.all(of: command.pid) {
                opened.formUnion(Children.openFiles(of: process))
            }
            usleep(20_000)
        }
        // Covers files in any folder. Without root, only the command's own open files are visible.
        #expect(opened.filter { $0.contains(/\/vips-\d/) } == [])
        #expect(try command.status() == 0)
        #expect(largest < 1 << 20, "\(largest) bytes")
        #expect(command.leftFolders == [])
        let made = try Self.files(in: bench.folder.path).subtracting(before)
            .filter { !$0.contains("log-") && !$0.contains("library.sqlite") }
            // The host's record of extensions.
            .filter { !$0.hasPrefix("config/") }
        // Only the rendition.
        #expect(made.count == 1 && made.allSatisfy { $0.contains("/blobs/") }, "\(made)")
        let shown = try #require(try bench.json("show", id).first)
        #expect(shown["pixelWidth"] as? Int == 6336)
        #expect(try bench.run("check", "--read-data", "100").status == 0)
    }

    private static func files(in folder: String) throws -> Set<String> {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return Set(
            paths.filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(
                    atPath: "\(folder)/\(path)", isDirectory: &isFolder) && !isFolder.boolValue
            })
    }

    /// The size of the largest file in a folder that may be changing.
    private static func largest(in folder: String) -> Int {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.map { path in
            var status = stat()
            let isFile =
                lstat("\(folder)/\(path)", &status) == 0
                && status.st_mode & S_IFMT == S_IFREG
            return isFile ? Int(status.st_size) : 0
        }.max() ?? 0
    }
}
