// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// Recordings with damaged or missing bytes.
@Suite("damaged recordings")
struct DamagedRecordingTests {
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio { try TestExtension.assemble("SepiaFilter", in: $0) }
    }

    private func add(_ path: String) async throws -> String {
        try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)),
            named: "imported-" + URL(fileURLWithPath: path).lastPathComponent)
    }

    /// Exports a video without metadata, which copies its packets.
    private func copy(_ video: String) async throws -> String {
        var options = ExportOptions()
        options.metadata = ExportOptions.Metadata.none
        return try await studio.host.export(
            video, from: studio.library, to: studio.folder.file("out"), options)
    }

    /// Edits a video and returns the path of the result.
    private func edit(_ video: String) async throws -> String {
        try await studio.edit(video, "sepia")
        return try studio.folder.write(try studio.currentBytes(video), to: "edited.mov")
    }

    @Test("a unit that would grow when its user data is removed is dropped")
    func growing() async throws {
        let raw = studio.folder.file("raw.h264")
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=1", "-pix_fmt", "yuv420p", "-c:v",
            "libx264", "-preset", "ultrafast", raw,
        ])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
        let picture = try #require(bytes.range(of: Data([0, 0, 1, 0x65])))
        // User data, and 3 MB of zeros without emulation prevention (ITU-T H.264, 7.4.1).
        let count = 3_000_000
        let size = [UInt8](repeating: 255, count: count / 255) + [UInt8(count % 255)]
        let unit =
            [0, 0, 1, 6, 5, 17] + [UInt8](repeating: 0x11, count: 17) + [4] + size
            + [UInt8](repeating: 0, count: count) + [0x80]
        bytes.insert(contentsOf: unit, at: picture.lowerBound)
        let damaged = try studio.folder.write(bytes, to: "damaged.h264")
        let path = studio.folder.file("a.mkv")
        try TestVideo.run(["-r", "25", "-i", damaged, "-c", "copy", path])
        let copy = try await copy(try await add(path))
        #expect(try TestVideo.frames(copy) == TestVideo.frames(path))
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).count < count)
        await studio.host.shutDown()
    }

    @Test("frames behind bytes that cannot be read are kept")
    func zeros() async throws {
        let whole = studio.folder.file("whole.mts")
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=4", "-f", "lavfi", "-i", "sine=d=4",
            "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a",
            "ac3", "-f", "mpegts", whole,
        ])
        // More than the 64 KiB that FFmpeg searches at once for a packet.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        bytes.insert(
            contentsOf: [UInt8](repeating: 0, count: 188 * 1200),
            at: bytes.count / 2 / 188 * 188)
        let video = try await add(try studio.folder.write(bytes, to: "a.mts"))
        for path in [try await copy(video), try await edit(video)] {
            let times = try TestVideo.times(path).compactMap(Double.init)
            #expect(times.count > 95 && (times.last ?? 0) > 3.9, "\(times)")
        }
        await studio.host.shutDown()
    }

    @Test("a file may refer to positions that cannot be read")
    func position() async throws {
        let path = studio.folder.file("whole.mp4")
        try TestVideo.run([
            "-f", "lavfi", "-i", "color=gray:s=64x64:r=25:d=2", "-pix_fmt", "yuv420p", "-c:v",
            "libx264", "-preset", "ultrafast", "-g", "25", "-movflags", "frag_keyframe", path,
        ])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The base data offset of the only fragment (ISO/IEC 14496-12, 8.8.7).
        let header = try #require(bytes.range(of: Data("tfhd".utf8), options: .backwards))
        let place = header.upperBound + 8
        bytes.replaceSubrange(
            place..<place + 8, with: [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0])
        let copy = try await copy(try await add(try studio.folder.write(bytes, to: "a.mp4")))
        #expect(try TestVideo.times(copy).count == 25)
        await studio.host.shutDown()
    }

    /// The first channel of a video's sound as 16-bit samples, decoded by `ffmpeg`.
    private func samples(_ path: String) throws -> [Int16] {
        let output = studio.folder.file("\(UUID().uuidString).raw")
        try TestVideo.run(["-i", path, "-map", "0:a:0", "-ac", "1", "-f", "s16le", output])
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: output)))
        return stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
        }
    }

    @Test("a gap of decoded sound becomes silence, so that later sound keeps its time")
    func gap() async throws {
        let path = studio.folder.file("a.wmv")
        try TestVideo.run([
            "-f", "lavfi", "-i", "color=gray:s=64x64:r=10:d=6", "-f", "lavfi", "-i",
            "sine=d=6,aselect='lt(t,2)+gte(t,4)'", "-c:v", "wmv2", "-c:a", "wmav2", path,
        ])
        let sound = try samples(try await edit(try await add(path)))
        let rate = 44_100
        try #require(abs(sound.count - 6 * rate) < rate / 5)
        let parts = [(0.2, 1.8, true), (2.2, 3.8, false), (4.2, 5.8, true)]
        for (start, end, isLoud) in parts {
            let part = sound[Int(start * Double(rate))..<Int(end * Double(rate))]
            #expect(part.contains { $0.magnitude > 1000 } == isLoud, "from \(start) s")
        }
        await studio.host.shutDown()
    }

    @Test("a gap behind the pictures becomes no more silence than the pictures and a second")
    func gapBehindPictures() async throws {
        let path = studio.folder.file("a.mkv")
        try TestVideo.run([
            "-f", "lavfi", "-i", "color=gray:s=64x64:r=10:d=2", "-f", "lavfi", "-i",
            "sine=d=42,aselect='lt(t,1)+gte(t,40)'", "-pix_fmt", "yuv420p", "-c:v", "libx264",
            "-preset", "ultrafast", "-c:a", "wmav2", path,
        ])
        let sound = try samples(try await edit(try await add(path)))
        // The last two seconds of sound begin a second after the pictures.
        #expect(abs(sound.count - 5 * 44_100) < 4410)
        await studio.host.shutDown()
    }

    /// Makes a Blu-ray recording of 2 seconds with linear PCM, 48,000 samples per second.
    private func makePCM() throws -> String {
        let path = studio.folder.file("whole.m2ts")
        try TestVideo.run([
            "-f", "lavfi", "-i", "color=gray:s=64x64:r=10:d=2", "-f", "lavfi", "-i", "sine=d=2",
            "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "pcm_bluray", "-ar", "48000", "-ac",
            "2", path,
        ])
        return path
    }

    /// The first packet of private stream 1 after a place (ISO/IEC 13818-1, 2.4.3.6).
    private func packet(_ bytes: Data, after place: Int) throws -> Int {
        try #require(
            bytes.range(of: Data([0, 0, 1, 0xBD]), in: place..<bytes.count)?.lowerBound)
    }

    /// Changes the third byte of the header of linear PCM, which contains the channels and the rate.
    private func setFormat(_ format: UInt8, of packet: Int, in bytes: inout Data) throws {
        let place = packet + 9 + Int(bytes[packet + 8]) + 2
        try #require(bytes[place] == 0x31)
        bytes[place] = format
    }

    @Test("a packet of linear PCM with another rate becomes silence of its length")
    func damagedRate() async throws {
        let path = try makePCM()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try setFormat(0x34, of: try packet(bytes, after: bytes.count / 2), in: &bytes)
        let video = try await add(try studio.folder.write(bytes, to: "a.m2ts"))
        let (before, after) = (try samples(path), try samples(try await edit(video)))
        #expect(before.count == after.count)
        #expect(before.prefix(24_000) == after.prefix(24_000))
        #expect(before.suffix(24_000) == after.suffix(24_000))
        await studio.host.shutDown()
    }

    @Test(
        "the first packets of linear PCM determine its format by majority", arguments: [0x34, 0x11])
    func damagedFirstFormat(format: UInt8) async throws {
        let path = try makePCM()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try setFormat(format, of: try packet(bytes, after: 0), in: &bytes)
        let video = try await add(try studio.folder.write(bytes, to: "a.m2ts"))
        let (before, after) = (try samples(path), try samples(try await edit(video)))
        // The damaged packet has less than 10 ms.
        #expect(before.count - after.count < 480)
        #expect(before.suffix(90_000) == after.suffix(90_000))
        await studio.host.shutDown()
    }

    @Test("a bit flipped in the time of a sound packet changes no sample")
    func damagedTime() async throws {
        let path = try makePCM()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // Bit 23 of the presentation time, 93 seconds.
        let place = try packet(bytes, after: bytes.count / 2) + 10
        try #require(bytes[place] & 2 == 0)
        bytes[place] |= 2
        let video = try await add(try studio.folder.write(bytes, to: "a.m2ts"))
        #expect(try samples(path) == samples(try await edit(video)))
        await studio.host.shutDown()
    }
}
