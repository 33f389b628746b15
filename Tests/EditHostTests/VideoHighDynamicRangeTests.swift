// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// Videos with the PQ and HLG transfer functions.
@Suite("high dynamic range videos")
struct VideoHighDynamicRangeTests {
    /// The 10-bit values of squares, each 16 pixels wide.
    private static let numbers = [0, 60, 150, 260, 400, 520, 700, 940]

    /// Makes a video of one colour in each square, without loss and without chroma subsampling.
    private static func make(_ path: String, _ transfer: String) throws {
        let pixels = (0..<32).flatMap { row in
            (0..<128).flatMap { column -> [UInt16] in
                let number = numbers[column / 16]
                return [number, row < 16 ? number : number * 3 / 4, number / 2].map {
                    UInt16($0 * 65_535 / 1023)
                }
            }
        }
        let raw = path + ".rgb"
        try pixels.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: raw)) }
        let name = transfer == "PQ" ? "smpte2084" : "arib-std-b67"
        try TestVideo.run([
            "-f", "rawvideo", "-pix_fmt", "rgb48le", "-s", "128x32", "-stream_loop", "4", "-i", raw,
            "-vf",
            "scale=out_color_matrix=bt2020:out_range=limited:flags=accurate_rnd+full_chroma_inp",
            "-pix_fmt", "yuv444p10le", "-c:v", "libx265", "-x265-params",
            "lossless=1:log-level=none:colorprim=bt2020:transfer=\(name):colormatrix=bt2020nc",
            "-color_primaries", "bt2020", "-color_trc", name, "-colorspace", "bt2020nc", path,
        ])
    }

    private static func expectSquares(
        _ sample: (Int, Int, Int) -> Int, _ transfer: String, tolerance: Double,
        location: SourceLocation = #_sourceLocation
    ) {
        for (square, number) in numbers.enumerated() {
            for (row, second) in [(8, number), (24, number * 3 / 4)] {
                let rgb = [number, second, number / 2].map { Double($0) / 1023 }
                let expected = HighDynamicRangeFormulas.sRGB(rgb, transfer)
                for band in 0..<3 {
                    let found = sample(square * 16 + 8, row, band)
                    #expect(
                        abs(Double(found) - expected[band]) <= tolerance,
                        "\(rgb), \(band): \(found), not \(expected[band])", sourceLocation: location
                    )
                }
            }
        }
    }

    @Test(
        "PQ and HLG are shown and edited in sRGB range by the standards' formulas",
        arguments: ["PQ", "HLG"], [0, 90])
    func mapped(transfer: String, turn: Int) async throws {
        let studio = try TestStudio { try TestExtension.assemble("CropRotate", in: $0) }
        let flat = studio.folder.file("flat.mov")
        try Self.make(flat, transfer)
        let path = studio.folder.file("a.mov")
        try TestVideo.run([
            "-i", flat, "-c", "copy", "-metadata:s:v", "rotate=\(turn)", path,
        ])
        let video = try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)), named: "b.mov")
        let folder = studio.folder.file("frames")
        var paths: [String] = []
        try await studio.host.exportFrames(
            of: video, every: 1, in: studio.library, to: folder, format: .png
        ) { path, _ in paths.append(path) }
        let picture = try TestPicture(
            decoding: Data(contentsOf: URL(fileURLWithPath: try #require(paths.first))))
        #expect(picture.width == (turn == 0 ? 128 : 32))
        // Limited range loses two of 1023 steps, which the curve amplifies in dark areas.
        Self.expectSquares(
            { x, y, band in
                let (column, row) = turn == 0 ? (x, y) : (y, 127 - x)
                return Int(picture.samples[(row * picture.width + column) * picture.bands + band])
            }, transfer, tolerance: 2)

        // Rotated back, so that each square has its original position.
        let turned = try await studio.edit(
            video, "croprotate", ["turns": turn == 0 ? "0" : "1", "crop": "0,0,1,1"])
        #expect(
            turned.warnings.contains {
                $0.contains("high dynamic range (\(transfer)) was reduced to that of sRGB")
            }, "\(turned.warnings)")
        let edited = try studio.folder.write(studio.currentBytes(video), to: "edited.mov")
        let frame = try #require(try TestVideo.frames(edited).first)
        Self.expectSquares(
            { x, y, band in Int(frame[(y * 128 + x) * 3 + band]) }, transfer, tolerance: 5)
        await studio.host.shutDown()
    }
}
