// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// Videos whose frames are two fields each.
@Suite("interlaced videos")
struct VideoInterlacedTests {
    private static let (width, height, count) = (160, 96, 12)
    private static let (dark, light) = (40, 200)

    /// The column where the bar begins in a field; fields are numbered by time.
    private static func place(_ field: Int) -> Int { 10 + 5 * field }

    /// Interlaced frames, with a moving bar at the top and static single lines at the bottom.
    private static func frames(isTopFirst: Bool) -> Data {
        var bytes = Data()
        for frame in 0..<count {
            for row in 0..<height {
                let isFirst = (row % 2 == 0) == isTopFirst
                let start = place(2 * frame + (isFirst ? 0 : 1))
                for column in 0..<width {
                    let isBar = row < 64 && (start..<start + 24).contains(column)
                    let isLine = row >= 72 && row % 8 == 1
                    bytes.append(UInt8(isBar || isLine ? light : dark))
                }
            }
        }
        return bytes
    }

    private static func make(_ path: String, isTopFirst: Bool, _ codec: [String]) throws {
        let raw = path + ".gray"
        try frames(isTopFirst: isTopFirst).write(to: URL(fileURLWithPath: raw))
        try TestVideo.run(
            [
                "-f", "rawvideo", "-pix_fmt", "gray", "-s", "\(width)x\(height)", "-r", "25", "-i",
                raw, "-vf", "setfield=\(isTopFirst ? "tff" : "bff")", "-flags", "+ildct+ilme",
            ] + codec + [path])
    }

    private func order(_ path: String) throws -> String {
        try runProgram(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                "stream=field_order", "-of", "csv=p=0", path,
            ]
        ).output.trimmingCharacters(in: CharacterSet(charactersIn: ",\n"))
    }

    @Test(
        "each frame shows its first field without combing and keeps static detail",
        arguments: [
            ("a.mp4", true, ["-c:v", "libx264", "-qp", "4", "-pix_fmt", "yuv420p"]),
            ("b.mov", false, ["-c:v", "libx264", "-qp", "4", "-pix_fmt", "yuv420p"]),
            ("c.avi", true, ["-c:v", "mpeg4", "-q:v", "1", "-pix_fmt", "yuv420p"]),
            ("d.mov", true, ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"]),
        ])
    func edited(name: String, isTopFirst: Bool, codec: [String]) async throws {
        let studio = try TestStudio { try TestExtension.assemble("SepiaFilter", in: $0) }
        let path = studio.folder.file(name)
        try Self.make(path, isTopFirst: isTopFirst, codec)
        let video = try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)), named: name)
        let result = try await studio.edit(video, "sepia", ["intensity": "0"])
        #expect(result.warnings.contains { $0.contains("interlaced") }, "\(result.warnings)")
        let edited = try studio.folder.write(studio.currentBytes(video), to: "edited-" + name)
        #expect(try order(edited) == "progressive")
        let frames = try TestVideo.frames(edited)
        #expect(frames.count == Self.count)
        for (number, frame) in frames.enumerated() {
            func sample(_ row: Int, _ column: Int) -> Int {
                Int(frame[(row * Self.width + column) * 3])
            }
            let start = Self.place(2 * number)
            let bar = start..<start + 24
            for row in 4..<60 {
                // The second field's bar begins five columns later.
                for (column, isLight) in [
                    (start - 3, false), (start + 2, true), (start + 21, true), (start + 26, false),
                ] where column > 0 && column < Self.width {
                    let value = sample(row, column)
                    #expect(isLight ? value > 150 : value < 90, "\(number): \(row) \(column)")
                }
            }
            #expect(bar.lowerBound < Self.width)
            for row in 73..<92 {
                let value = sample(row, 80)
                #expect(row % 8 == 1 ? value > 150 : value < 90, "\(number): \(row) \(value)")
            }
        }
        await studio.host.shutDown()
    }

    @Test("a video trimmed to complete groups of pictures stays interlaced and is marked so")
    func copied() async throws {
        let studio = try TestStudio { try TestExtension.assemble("Trim", in: $0) }
        let path = studio.folder.file("a.mp4")
        let codec = ["-c:v", "libx264", "-bf", "0", "-g", "4", "-pix_fmt", "yuv420p"]
        try Self.make(path, isTopFirst: true, codec)
        let video = try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)), named: "a.mp4")
        try await studio.edit(video, "trim", ["start": "0.16", "end": "0.32"])
        let edited = try studio.folder.write(studio.currentBytes(video), to: "edited.mp4")
        #expect(try order(edited) == order(path) && order(path) != "progressive")
        #expect(try TestVideo.times(edited).count == 4)
        await studio.host.shutDown()
    }
}
