// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// Videos whose first frame is shown after their sound begins. Times are those of players.
@Suite("videos that start late")
struct VideoLeadTests {
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("Trim", in: $0)
        }
    }

    /// Makes frames that differ in their gray, 30 a second, from 0.5 s on, with sound from the beginning or none.
    private func add(_ name: String, hasSound: Bool) async throws -> String {
        let plain = studio.folder.file("plain-" + name)
        try TestVideo.run([
            "-f", "lavfi", "-i", "color=black:s=64x64:r=30:d=2", "-vf",
            "geq=lum='40+3*N':cb=128:cr=128", "-c:v", "libx264", "-g", "15", "-bf", "0", "-pix_fmt",
            "yuv420p", plain,
        ])
        var arguments = ["-itsoffset", "0.5", "-i", plain]
        if hasSound { arguments += ["-f", "lavfi", "-i", "sine=d=2.5"] }
        arguments += ["-map", "0:v"]
        // Matroska has no room before its beginning for AAC's priming samples, so everything would be delayed.
        let codec = name.hasSuffix("mkv") ? "flac" : "aac"
        if hasSound { arguments += ["-map", "1:a", "-c:a", codec] }
        let path = studio.folder.file(name)
        try TestVideo.run(arguments + ["-c:v", "copy", path])
        return try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)), named: name)
    }

    /// The number of the original frame with a gray value.
    private func number(_ gray: UInt8) -> Int {
        let luma = Double(gray) * 219 / 255 + 16
        return Int(((luma - 40) / 3).rounded())
    }

    @Test(
        "a trim starts with the frame that players show then, and keeps earlier sound",
        arguments: ["a.mp4", "b.mov", "c.mkv"], [true, false])
    func trimmed(name: String, hasSound: Bool) async throws {
        let video = try await add(name, hasSound: hasSound)
        let length = try studio.library.asset(withLocalIdentifier: video).duration
        #expect(abs(length - 2.5) < 0.01)
        // Re-encoded and copied parts, one of them to the end and one from before the first frame.
        for (start, end, first, count) in [
            (0.8, 1.4, 9, 18), (1.0, 2.0, 15, 30), (2.2, 2.4, 51, 6), (2.0, 0, 45, 15),
            (0.2, 1.0, 0, 15),
        ] {
            try await studio.edit(video, "trim", ["start": "\(start)", "end": "\(end)"])
            let edited = try studio.folder.write(
                studio.currentBytes(video), to: "\(UUID().uuidString)-" + name)
            let frames = try TestVideo.frames(edited)
            #expect(frames.count == count, "\(start)")
            let found = try #require(frames.first).first.map(number)
            #expect(found == first, "\(start)")
            let shown = try TestVideo.times(edited).compactMap(Double.init)
            let late = max(0, 0.5 - start)
            #expect(abs(try #require(shown.first) - late) < 0.0015, "\(start): \(shown[0])")
            let left = try studio.library.asset(withLocalIdentifier: video).duration
            let wanted = (end == 0 ? 2.5 : end) - start
            #expect(abs(left - wanted) < 0.0025, "\(start): \(left)")
            if hasSound, start < 0.5 {
                let sound = try TestVideo.packets(edited).map(\.time)
                #expect(try #require(sound.first) < 0.1 && #require(sound.last) > 0.7)
            }
        }
        await studio.host.shutDown()
    }

    @Test("pictures at a time show what players show")
    func pictures() async throws {
        let video = try await add("a.mp4", hasSound: true)
        var numbers: [Int] = []
        try await studio.host.exportFrames(
            of: video, every: 0.6, in: studio.library, to: studio.folder.file("frames"),
            format: .png
        ) { path, _ in
            let picture = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
            numbers.append(number(UInt8(picture.samples[0])))
        }
        // At 0, 0.6, 1.2, 1.8 and 2.4 s.
        #expect(numbers == [0, 3, 21, 39, 57])
        await studio.host.shutDown()
    }
}
