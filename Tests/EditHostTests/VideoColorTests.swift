// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// Standard dynamic range videos with primaries other than those of BT.709.
@Suite("video colours")
struct VideoColorTests {
    /// The coding of a video, and the matrix from its linear values to linear sRGB (CSS Color 4; Rec. ITU-R BT.2087;
    /// that of BT.601 from its chromaticities).
    struct Coding: Sendable, CustomTestStringConvertible {
        let primaries: String
        let transfer: String
        let matrix: String
        let isDeep: Bool
        let rows: [[Double]]

        var testDescription: String { "\(primaries), \(isDeep ? 10 : 8) bits" }
    }

    private static let p3 = [
        [1.22494, -0.22494, 0], [-0.04206, 1.04206, 0], [-0.01964, -0.07864, 1.09827],
    ]
    private static let codings = [
        Coding(
            primaries: "smpte432", transfer: "bt709", matrix: "bt709", isDeep: true, rows: p3),
        Coding(
            primaries: "smpte432", transfer: "bt709", matrix: "smpte170m", isDeep: false, rows: p3),
        Coding(
            primaries: "bt2020", transfer: "bt2020-10", matrix: "bt2020nc", isDeep: true,
            rows: [
                [1.66049, -0.58764, -0.07285], [-0.12455, 1.13290, -0.00835],
                [-0.01815, -0.10058, 1.11873],
            ]),
        Coding(
            primaries: "bt470bg", transfer: "smpte170m", matrix: "bt470bg", isDeep: false,
            rows: [[1.04404, -0.04404, 0], [0, 1, 0], [0, 0.01179, 0.98821]]),
        Coding(
            primaries: "smpte170m", transfer: "smpte170m", matrix: "smpte170m", isDeep: false,
            rows: [
                [0.93954, 0.05018, 0.01028], [0.01777, 0.96579, 0.01643],
                [-0.00162, -0.00437, 1.00599],
            ]),
        Coding(
            primaries: "bt709", transfer: "bt709", matrix: "bt709", isDeep: false,
            rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ]

    /// The sRGB values that are shown for the values of a video.
    private static func expected(_ numbers: [Int], _ coding: Coding) -> [Double] {
        let light = numbers.map { number -> Double in
            let part = Double(number) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return coding.rows.map { row -> Double in
            let sum = row[0] * light[0] + row[1] * light[1] + row[2] * light[2]
            let mixed = min(1, max(0, sum))
            if mixed <= 0.0031308 { return 255 * 12.92 * mixed }
            return 255 * (1.055 * pow(mixed, 1 / 2.4) - 0.055)
        }
    }

    private static func make(_ path: String, _ coding: Coding, turn: Int) throws {
        let flat = path + ".flat.mov"
        let names = ["bt2020nc": "bt2020", "bt470bg": "bt601", "smpte170m": "bt601"]
        let matrix = names[coding.matrix] ?? coding.matrix
        let source = ["-f", "lavfi", "-i", "color=c=0x3C78B4:s=96x64:r=10:d=0.3"]
        let filter = ["-vf", "scale=out_color_matrix=\(matrix):out_range=tv"]
        let codec =
            coding.isDeep
            ? [
                "-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-crf", "4", "-x265-params",
                "log-level=none",
            ] : ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "4"]
        let marks = [
            "-color_primaries", coding.primaries, "-color_trc", coding.transfer, "-colorspace",
            coding.matrix,
        ]
        try TestVideo.run(source + filter + codec + marks + [flat])
        try TestVideo.run(["-i", flat, "-c", "copy", "-metadata:s:v", "rotate=\(turn)", path])
    }

    @Test(
        "frames of other primaries are converted to sRGB, and the edited video is BT.709",
        arguments: codings, [0, 90])
    func converted(coding: Coding, turn: Int) async throws {
        let studio = try TestStudio { try TestExtension.assemble("SepiaFilter", in: $0) }
        let path = studio.folder.file("a.mov")
        try Self.make(path, coding, turn: turn)
        let video = try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)), named: "b.mov")
        let wanted = Self.expected([60, 120, 180], coding)
        var paths: [String] = []
        try await studio.host.exportFrames(
            of: video, every: 1, in: studio.library, to: studio.folder.file("frames"), format: .png
        ) { path, _ in paths.append(path) }
        let picture = try TestPicture(
            decoding: Data(contentsOf: URL(fileURLWithPath: try #require(paths.first))))
        try await studio.edit(video, "sepia", ["intensity": "0"])
        let edited = try studio.folder.write(studio.currentBytes(video), to: "edited.mov")
        let frame = try #require(try TestVideo.frames(edited).first)
        for band in 0..<3 {
            let shown = Double(picture.samples[(20 * picture.width + 30) * picture.bands + band])
            // ffmpeg creates the colour in 8 bits of limited range, and the curve triples an error of one step in a
            // dark component. Without a conversion, red is off by 32.
            let tolerance = 6.0
            #expect(
                abs(shown - wanted[band]) <= tolerance, "\(band): \(shown), not \(wanted[band])")
            let written = Double(frame[(20 * picture.width + 30) * 3 + band])
            #expect(
                abs(written - wanted[band]) <= tolerance + 1,
                "\(band): \(written), not \(wanted[band])")
        }
        let marks = try runProgram(
            "/usr/bin/env",
            [
                "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                "stream=color_primaries", "-of", "csv=p=0", edited,
            ])
        #expect(marks.output.hasPrefix("bt709"))
        await studio.host.shutDown()
    }
}
