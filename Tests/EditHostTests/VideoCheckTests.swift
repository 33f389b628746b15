// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import GRDB
import Library
import TestSupport
import Testing

/// `check` decodes videos to their ends when it reads files.
@Suite("video checks")
struct VideoCheckTests {
    private let studio: TestStudio
    private var folder: TemporaryFolder { studio.folder }

    init() throws {
        studio = try TestStudio {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("Trim", in: $0)
        }
    }

    /// A video of fifty frames, with its index before them.
    private func video() throws -> Data {
        let path = folder.file("whole.mp4")
        if !FileManager.default.fileExists(atPath: path) {
            try TestVideo.make(
                path, size: "160x120", seconds: 2,
                ["-c:v", "libx264", "-g", "10", "-an", "-movflags", "+faststart"])
        }
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// The same video with damaged frames in its second half.
    private func damaged() throws -> Data {
        var bytes = try video()
        for place in stride(from: bytes.count / 2, to: bytes.count, by: 97) { bytes[place] ^= 0x55 }
        return bytes
    }

    /// The errors that `ffmpeg` reports while decoding.
    private func complaints(_ bytes: Data) throws -> String {
        let path = try folder.write(bytes, to: UUID().uuidString + ".mp4")
        return try runProgram(
            "/usr/bin/env",
            ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-f", "null", "-"]
        ).errors
    }

    @Test("complete videos, stored and referenced, and their renditions decode")
    func whole() async throws {
        #expect(try complaints(video()).isEmpty)
        let stored = try await studio.add(video(), named: "a.mp4")
        #expect(try await studio.edit(stored, "sepia").status == .committed)
        let outside = folder.file("outside.mkv")
        try TestVideo.make(outside, size: "64x48", seconds: 1, [])
        try await studio.host.importPhotos(
            at: [outside], into: studio.library, by: .reference
        ) { #expect($0.status == .imported) }
        var told: [[Int]] = []
        let report = try await studio.host.check(studio.library, readingDataOf: 100) {
            if $0 == .videos { told.append([$1, $2]) }
        }
        #expect(report.findings.isEmpty)
        #expect(report.decodedCount == 3 && told == [[1, 3], [2, 3], [3, 3]])
        #expect(try await studio.host.check(studio.library).decodedCount == 0)
        let closed = try await studio.host.check(
            libraryAt: studio.library.path, readingDataOf: 100)
        #expect(closed.findings.isEmpty && closed.decodedCount == 3)
        // The progress handler may end the check.
        await #expect(throws: CancellationError.self) {
            try await studio.host.check(studio.library, readingDataOf: 100) { phase, _, _ in
                if phase == .videos { throw CancellationError() }
            }
        }
        await studio.host.shutDown()
    }

    @Test(
        "an original damaged or truncated before import is named but is not library damage")
    func damagedBefore() async throws {
        let cut = try video().prefix(video().count * 3 / 5)
        for (bytes, words) in [(try damaged(), "damaged"), (cut, "ends 0.9 s early")] {
            #expect(try !complaints(bytes).isEmpty)
            let asset = try await studio.add(bytes, named: "\(words).mp4")
            let report = try await studio.host.check(studio.library, readingDataOf: 100)
            let finding = try #require(report.findings.last { $0.assetIdentifier == asset })
            #expect(finding.kind == .videoNotDecoded && finding.severity == .notice)
            #expect(finding.detail.contains(words), "\(finding.detail)")
            #expect(report.severity == .notice && !finding.isRepairable)
        }
        let repaired = try await studio.host.repair(studio.library, readingDataOf: 100)
        #expect(repaired.actions == [.none, .none] && repaired.remaining.severity == .notice)
        await studio.host.shutDown()
    }

    @Test("a Matroska with an overlong duration tag and an AVI with empty final frames pass")
    func falseEnds() async throws {
        let path = folder.file("long.mkv")
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=4", "-f", "lavfi", "-i",
            "sine=duration=8", "-c:v", "libx264", "-c:a", "aac", path,
        ])
        var tagged = try Data(contentsOf: URL(fileURLWithPath: path))
        let tag = try #require(tagged.range(of: Data("00:00:04.0".utf8)))
        tagged.replaceSubrange(tag, with: Data("00:00:07.0".utf8))
        let avi = folder.file("plain.avi")
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=4", "-c:v", "mjpeg", avi,
        ])
        let empty = try emptyingFrames(from: 80, of: Data(contentsOf: URL(fileURLWithPath: avi)))
        for (name, bytes, count) in [("tagged.mkv", tagged, 100), ("empty.avi", empty, 80)] {
            let asset = try await studio.add(bytes, named: name)
            #expect(try await studio.edit(asset, "sepia").status == .committed, "\(name)")
            let edited = try folder.write(studio.currentBytes(asset), to: "edited-\(name)")
            #expect(try TestVideo.times(edited).count == count, "\(name)")
            let cut = try await studio.add(bytes.prefix(bytes.count / 2), named: "cut-\(name)")
            let error = await #expect(throws: HostError.self) {
                try await studio.edit(cut, "sepia")
            }
            #expect(error?.message.contains("truncated") == true, "\(name)")
        }
        let report = try await studio.host.check(studio.library, readingDataOf: 100)
        #expect(report.findings.count == 2)
        await studio.host.shutDown()
    }

    /// An AVI without an index whose last frames are dropped: their chunks are empty.
    private func emptyingFrames(from first: Int, of file: Data) throws -> Data {
        func number(_ bytes: Data) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
        func bytes(_ number: Int) -> Data {
            withUnsafeBytes(of: UInt32(number).littleEndian) { Data($0) }
        }
        let movie = try #require(file.range(of: Data("movi".utf8)))
        let end = movie.lowerBound + number(file[movie.lowerBound - 4..<movie.lowerBound])
        var (frames, place, count) = (Data("movi".utf8), movie.upperBound, 0)
        while place < end {
            let size = number(file[place + 4..<place + 8])
            let next = place + 8 + size + size % 2
            frames += count < first ? file[place..<next] : file[place..<place + 4] + bytes(0)
            (place, count) = (next, count + 1)
        }
        #expect(count == 100)
        let list = file[12..<movie.lowerBound - 4] + bytes(frames.count) + frames
        return Data("RIFF".utf8) + bytes(list.count + 4) + Data("AVI ".utf8) + list
    }

    @Test(
        "truncated Matroska, WebM and AVI are rejected; complete ones with long sound are not",
        arguments: [
            ("mkv", ["-c:v", "libx264", "-c:a", "aac"]),
            ("webm", ["-c:v", "libvpx", "-c:a", "libopus"]),
            ("avi", ["-c:v", "mpeg4", "-c:a", "mp3"]),
            ("untimed.avi", ["-c:v", "libx264", "-c:a", "mp3"]),
        ])
    func otherContainers(ending: String, codecs: [String]) async throws {
        for sound in [0, 2, 8] {
            let path = folder.file("\(sound).\(ending)")
            let tone = sound == 0 ? [] : ["-f", "lavfi", "-i", "sine=duration=\(sound)"]
            let picture = "testsrc2=size=96x72:rate=10:duration=4"
            try TestVideo.run(
                ["-f", "lavfi", "-i", picture] + tone
                    + (sound == 0 ? Array(codecs.prefix(2)) : codecs) + ["-g", "10", path])
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            for isTagged in ending == "mkv" ? [true, false] : [true] {
                // Without the tag for the duration of the pictures, only the duration of the file is known.
                var bytes = whole
                if !isTagged, let tag = bytes.range(of: Data("DURATION".utf8)) {
                    bytes.replaceSubrange(tag, with: Data("DURATIOM".utf8))
                }
                let name = "\(sound)\(isTagged).\(ending)"
                let good = try await studio.add(bytes, named: "good\(name)")
                #expect(try await studio.edit(good, "sepia").status == .committed, "\(name)")
                let cut = try await studio.add(
                    bytes.prefix(bytes.count / 2), named: "cut\(name)")
                let error = await #expect(throws: HostError.self, "\(name)") {
                    try await studio.edit(cut, "sepia")
                }
                #expect(error?.code == .badInput, "\(name)")
                #expect(error?.message.contains("truncated") == true, "\(name)")
            }
        }
        let report = try await studio.host.check(studio.library, readingDataOf: 100)
        #expect(report.findings.allSatisfy { $0.kind == .videoNotDecoded })
        #expect(report.findings.count == (ending == "mkv" ? 6 : 3))
        await studio.host.shutDown()
    }

    @Test("an undecodable rendition is damage even if its hash matches")
    func rendition() async throws {
        let asset = try await studio.add(video(), named: "a.mp4")
        #expect(try await studio.edit(asset, "sepia").status == .committed)
        let other = try await studio.add(damaged(), named: "b.mp4")
        let database = try DatabaseQueue(path: studio.library.path + "/library.sqlite")
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE rendition SET blob_hash = (SELECT blob_hash FROM resource
                    JOIN asset ON asset.id = asset_id WHERE uuid = :other);
                    DELETE FROM resource
                    WHERE asset_id = (SELECT id FROM asset WHERE uuid = :other);
                    """,
                arguments: ["other": other])
        }
        try database.close()
        let report = try await studio.host.check(studio.library, readingDataOf: 100)
        let finding = try #require(report.findings.first { $0.kind == .videoNotDecoded })
        #expect(finding.severity == .damage && finding.assetIdentifier == asset)
        await studio.host.shutDown()
    }

    @Test("a trim copied from a faulty original is not damage, stored or referenced")
    func inherited() async throws {
        let stored = try await studio.add(damaged(), named: "a.mp4")
        var referenced: [String] = []
        let other = try folder.write(damaged() + Data([0]), to: "other.mp4")
        try await studio.host.importPhotos(at: [other], into: studio.library, by: .reference) {
            referenced += [$0.assetIdentifier].compactMap { $0 }
        }
        #expect(referenced.count == 1)
        for asset in [stored] + referenced {
            // Two whole groups of ten frames, 25 a second.
            try await studio.edit(asset, "trim", ["start": "1.2", "end": "2.0"])
            try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) {
                #expect($0.status == .rendered, "\($0)")
            }
        }
        let report = try await studio.host.check(studio.library, readingDataOf: 100)
        #expect(report.severity == .notice, "\(report.findings)")
        let cut = report.findings.filter { $0.detail.contains("so is its original") }
        // Both have the same bytes and share one file.
        #expect(cut.count == 1 && cut.allSatisfy { $0.kind == .videoNotDecoded })
        #expect(report.findings.count == 3 && report.decodedCount == 3)
        await studio.host.shutDown()
    }

    @Test("a video whose bytes changed is damaged and is not decoded")
    func rotten() async throws {
        let asset = try await studio.add(video(), named: "a.mp4")
        let hash = try #require(try studio.library.history(ofAsset: asset).original?.blob)
        let path = studio.blobPath(hash)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try damaged().write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        let report = try await studio.host.check(studio.library, readingDataOf: 100)
        #expect(report.findings.map(\.kind) == [.originalDamaged] && report.decodedCount == 0)
        await studio.host.shutDown()
    }

    @Test("a missing media runner is reported and is not damage")
    func notInstalled() async throws {
        let studio = try TestStudio(
            extensions: { _ in }, trusted: false, configure: { $0.mediaRunnerExecutable = nil })
        _ = try await studio.add(video(), named: "a.mp4")
        let report = try await studio.host.check(studio.library, readingDataOf: 100)
        #expect(report.findings.map(\.kind) == [.videoNotDecoded] && report.severity == .notice)
        #expect(report.findings.first?.detail.contains("edithost-media-runner") == true)
        await studio.host.shutDown()
    }
}
