// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Previews with other values, at other times, and the sizes that they report.
@Suite("previews of editing sessions")
struct EditingSessionPreviewTests {
    @Test("other values apply to one preview only", arguments: [true, false])
    func otherValues(isTrusted: Bool) async throws {
        let studio = try TestStudio(trusted: isTrusted)
        let picture = TestPicture.plain(width: 90, height: 60)
        let asset = try await studio.add(picture)
        let session = try await studio.open(asset, ["amount": "4"])
        let other = try await session.encodedPreview(
            as: .png, profile: nil, with: ["amount": .number(50)])
        #expect(try TestPicture(decoding: other.data) == picture.adding(50))
        #expect(other.size == PixelSize(width: 90, height: 60) && other.fullSize == other.size)
        #expect(session.parameters["amount"]?.asDouble == 4)
        #expect(try await session.preview().picture == picture.adding(4))
        let error = await #expect(throws: HostError.self) {
            try await session.encodedPreview(
                as: .png, profile: nil, with: ["amount": .number(1000)])
        }
        #expect(error?.code == .badParameter && session.isOpen)
        _ = try await session.finish()
        #expect(!session.isOpen)
        #expect(try studio.current(asset) == picture.adding(4))
        await studio.host.shutDown()
    }

    @Test("a preview is in the profile that the extension names, and other names are errors")
    func profile() async throws {
        for name in ["display-p3", "other"] {
            let studio = try TestStudio {
                try TestExtension.buildLayouts(
                    defines: ["PREVIEW_PROFILE=\"\(name)\""], in: $0)
            }
            let picture = TestPicture.gradient(width: 33, height: 21)
            let asset = try await studio.add(picture)
            let session = try await studio.open(asset, "layouts")
            if name == "display-p3" {
                let preview = try await session.preview()
                #expect(preview.profile == .displayP3 && preview.picture == picture)
            } else {
                let error = await #expect(throws: HostError.self) { try await session.preview() }
                #expect(error?.message.contains("the unknown profile other") == true)
            }
            await session.cancel()
            await studio.host.shutDown()
        }
    }

    @Test(
        "a small preview has a small input, unless the edit changes the size",
        arguments: [
            ([], ["100 pixels at 0.2500", "200 pixels at 0.5000", "100 pixels at 0.2500"]),
            // The full size is estimated from the display image, as exactly as that allows.
            (
                ["CUT"],
                [
                    "100 pixels at 0.2500", "200 pixels at 0.5000", "200 pixels at 0.5000",
                    "200 pixels at 0.5000",
                ]
            ),
            // The scale is that of the offered input.
            (
                ["DISPLAY"],
                ["200 pixels at 0.2500", "200 pixels at 0.5000", "200 pixels at 0.5000"]
            ),
        ])
    func smallInput(defines: [String], inputs: [String]) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildNeighbours(defines: defines, in: $0) })
        let asset = try await studio.add(.gradient(width: 400, height: 200))
        let session = try await studio.open(asset, "neighbours", displaySize: 200)
        for side in [100, 200, 100] {
            let preview = try await session.encodedPreview(
                as: .png, size: PixelSize(width: side, height: side), profile: nil)
            let isCut = defines == ["CUT"]
            #expect(preview.fullSize == PixelSize(width: isCut ? 200 : 400, height: 200))
            #expect(preview.size.width == (isCut ? min(side, 100) : side))
        }
        let found = {
            studio.log.lines.compactMap { line in
                line.firstMatch(of: /preview of (\d+ pixels at [\d.]+)/).map { String($0.1) }
            }
        }
        try await waitUntil("the plug-in has logged its inputs") { found().count >= inputs.count }
        #expect(found() == inputs)
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("a turned preview fills a box that is not square")
    func turned() async throws {
        let studio = try TestStudio(extensions: {
            try TestExtension.assemble("CropRotate", in: $0)
        })
        let asset = try await studio.add(.gradient(width: 400, height: 200))
        let session = try await studio.open(
            asset, "croprotate", ["turns": "1"], displaySize: 200)
        for (box, size) in [
            (PixelSize(width: 50, height: 100), PixelSize(width: 50, height: 100)),
            (PixelSize(width: 100, height: 50), PixelSize(width: 25, height: 50)),
        ] {
            let preview = try await session.encodedPreview(as: .png, size: box, profile: nil)
            #expect(preview.size == size && preview.fullSize == PixelSize(width: 200, height: 400))
        }
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("a preview reports the full size of the edited picture", arguments: [true, false])
    func fullSize(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.assemble("CropRotate", in: $0) }, trusted: isTrusted)
        // The display size is 100 by 67: a third, rounded.
        let asset = try await studio.add(.plain(width: 300, height: 200))
        let session = try await studio.open(asset, "croprotate", displaySize: 100)
        #expect(!session.continuesEdit)
        func sizes() async throws -> EditPreview {
            try await session.encodedPreview(
                as: .jpeg, size: PixelSize(width: 50, height: 50), profile: .sRGB)
        }
        let whole = try await sizes()
        #expect(whole.fullSize == PixelSize(width: 300, height: 200))
        #expect(whole.size.width == 50)
        try await session.setParameters(["turns": .integer(1)])
        #expect(try await sizes().fullSize == PixelSize(width: 200, height: 300))
        try await session.setParameters([
            "turns": .integer(0), "crop": .rectangle(x: 0, y: 0, width: 0.5, height: 1),
        ])
        let half = try await sizes().fullSize
        #expect(abs(half.width - 150) <= 3 && abs(half.height - 200) <= 3, "\(half)")
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("the input is available at display size", arguments: [true, false])
    func input(isTrusted: Bool) async throws {
        let studio = try TestStudio(trusted: isTrusted)
        let asset = try await studio.add(.plain(width: 300, height: 200))
        try await studio.edit(asset, "adder", ["amount": "7"])
        let session = try await studio.open(asset, displaySize: 100)
        #expect(session.continuesEdit && session.input == .original)
        try await session.setParameters(["amount": .number(20)])
        let input = try await session.displaySizeImage()
        #expect(input.picture == .plain(width: 100, height: 67))
        #expect(
            try await session.preview().picture == .plain(width: 100, height: 67).adding(20))
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("a preview of a video shows the frame at a time")
    func frames() async throws {
        let studio = try TestStudio(extensions: { try TestExtension.buildClock(in: $0) })
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "160x64", seconds: 4, ["-crf", "4"])
        let video = try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)), named: "copy.mov")
        let session = try await studio.open(video, "clock", [:])
        for time in [1.5, nil, 3.2, 3.2, 0] as [Double?] {
            let preview = try await session.encodedPreview(as: .png, profile: nil, at: time)
            let picture = try TestPicture(decoding: preview.data)
            // The extension writes the time in tenths of a second. There are 25 frames a second.
            let found = Double(picture.samples[(8 * 160 + 24) * picture.bands])
            let shown = ((time ?? 0) * 25 + 0.001).rounded(.down) / 25
            #expect(found == (shown * 10 + 0.001).rounded(.down), "\(time as Any): \(found)")
        }
        await session.cancel()
        #expect(studio.host.openEditingSessions == 0)
        #expect(try studio.library.history(ofAsset: video).chain.isEmpty)
        await studio.host.shutDown()
    }

    @Test("a photo has no other times, and the session continues")
    func time() async throws {
        let studio = try TestStudio()
        let session = try await studio.open(try await studio.add(.gradient()))
        let error = await #expect(throws: HostError.self) {
            try await session.encodedPreview(as: .jpeg, profile: nil, at: 1)
        }
        #expect(error?.code == .badRequest && session.isOpen)
        await session.cancel()
        await studio.host.shutDown()
    }
}
