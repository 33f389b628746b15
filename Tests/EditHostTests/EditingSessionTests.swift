// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Edits that stay open for previews.
@Suite("editing sessions")
struct EditingSessionTests {
    @Test(
        "C-14 twenty slider moves decode once, and nothing at full size before finish",
        arguments: [true, false])
    func slider(isTrusted: Bool) async throws {
        let studio = try TestStudio(trusted: isTrusted)
        let asset = try await studio.add(.plain(width: 300, height: 200))
        let before = studio.host.decodes
        let session = try await studio.open(asset, displaySize: 100)
        for amount in 1...20 {
            let values = try await session.setParameters(["amount": .number(Double(amount))])
            #expect(values["amount"]?.asDouble == Double(amount))
            // A plain picture stays plain when it is reduced.
            let expected = TestPicture.plain(width: 100, height: 67).adding(amount)
            #expect(try await session.preview().picture == expected)
        }
        #expect(studio.host.decodes.fullSize == before.fullSize)
        #expect(studio.host.decodes.reduced == before.reduced + 1)
        let result = try await session.finish()
        #expect(result.status == .committed && result.input == .original)
        #expect(studio.host.decodes.fullSize == before.fullSize + 1)
        #expect(studio.host.decodes.reduced == before.reduced + 1)
        #expect(try studio.current(asset) == .plain(width: 300, height: 200).adding(20))
        #expect(try studio.recipe(asset) == "20 plain")
        #expect(
            try studio.library.history(ofAsset: asset).chain.last?.identifier
                == result.editIdentifier)
        await studio.host.shutDown()
    }

    @Test(
        "C-12 a preview is the reduced picture and fits the requested size",
        arguments: [true, false])
    func reduced(isTrusted: Bool) async throws {
        let studio = try TestStudio(trusted: isTrusted)
        let asset = try await studio.add(TestStudio.slope)
        let session = try await studio.open(asset, displaySize: 100)
        try await session.setParameters(["amount": .number(30)])
        let preview = try await session.preview()
        #expect(preview.width == 100 && preview.height == 67)
        #expect(preview.bands == 3 && preview.bytesPerRow == 300)
        #expect(preview.data.count == 300 * 67)
        // A linear gradient stays linear when it is reduced, except at its edges.
        for (x, y) in [(20, 20), (50, 33), (80, 60)] {
            let expected = Double(TestStudio.slopeValue(Double(x * 3 + 1), Double(y * 3 + 1))) + 30
            let found = Double(preview.data[preview.data.startIndex + y * 300 + x * 3])
            #expect(abs(found - expected) <= 3, "\(x), \(y)")
        }
        let small = try await session.preview(size: PixelSize(width: 80, height: 20))
        #expect(small.width == 30 && small.height == 20)
        let file = try await session.encodedPreview(
            as: .png, size: PixelSize(width: 50, height: 50))
        let decoded = try TestPicture(decoding: file)
        #expect(decoded.width == 50 && decoded.height == 34)
        let error = await #expect(throws: HostError.self) {
            try await session.encodedPreview(as: .quickTime)
        }
        #expect(error?.code == .badRequest)
        await session.cancel()
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        await studio.host.shutDown()
    }

    @Test(
        "C-14 extensions get the true sizes at start and the full size only in finish",
        arguments: [true, false])
    func sizes(isTrusted: Bool) async throws {
        let studio = try TestStudio(trusted: isTrusted)
        let asset = try await studio.add(TestStudio.slope)
        let before = studio.host.decodes
        let session = try await studio.open(asset, ["mode": "ask-early"], displaySize: 75)
        _ = try await session.preview()
        #expect(studio.host.decodes.fullSize == before.fullSize)
        #expect(
            studio.log.lines.contains {
                $0.hasSuffix("preview: 300x200, 1.0000, 0.2500, image 4 0x0, path 4")
            }, "\(studio.log.lines)")
        _ = try await session.finish()
        #expect(
            studio.log.lines.contains {
                $0.hasSuffix("finish: 300x200, 1.0000, 0.2500, image 0 300x200, path 0")
            }, "\(studio.log.lines)")
        #expect(try studio.current(asset) == TestStudio.slope.adding(10))
        await studio.host.shutDown()
    }

    @Test(
        "C-14 lower edits run on the reduced picture and get its scale",
        arguments: [true, false])
    func lowerSteps(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildAdder(in: $0)
                try TestExtension.buildAdder("org.example.other", in: $0)
            }, trusted: isTrusted)
        let asset = try await studio.add(.plain(width: 300, height: 200))
        try await studio.edit(asset, "adder", ["amount": "6", "mode": "ask-early"])
        let before = studio.host.decodes
        let session = try await studio.open(
            asset, "other", ["mode": "ask-early"], displaySize: 75)
        #expect(
            try await session.preview().picture == .plain(width: 75, height: 50).adding(16))
        let lower = "org.example.adder: finish: 75x50, 0.2500, 0.2500, image 0 75x50, path 0"
        #expect(studio.log.lines.contains(lower), "\(studio.log.lines)")
        let own = "org.example.other: preview: 300x200, 1.0000, 0.2500, image 4 0x0, path 4"
        #expect(studio.log.lines.contains(own), "\(studio.log.lines)")
        #expect(studio.host.decodes.fullSize == before.fullSize)
        _ = try await session.finish()
        #expect(try studio.current(asset) == .plain(width: 300, height: 200).adding(16))
        await studio.host.shutDown()
    }

    @Test(
        "C-12 C-13 a reopened edit shows the previous picture, another the current one",
        arguments: [true, false])
    func reopened(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildAdder(in: $0)
                try TestExtension.buildAdder("org.example.other", in: $0)
            }, trusted: isTrusted)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "7", "mode": "ask-early"])
        let before = studio.host.decodes

        let again = try await studio.open(asset)
        #expect(again.input == .original)
        #expect(again.parameters["amount"]?.asDouble == 7)
        #expect(try await again.preview().picture == picture.adding(7))
        // The placeholder, which may be shown before that, is the current picture.
        let samples = picture.adding(7).samples
        let average = Double(samples.reduce(0) { $0 + Int($1) }) / Double(samples.count)
        let placeholder = String(format: "start: placeholder 37x23, %.2f", average)
        let shown = studio.log.lines.filter {
            $0.contains("start: placeholder") || $0.contains("preview: ")
        }
        #expect(shown.first?.hasSuffix(placeholder) == true, "\(shown)")
        #expect(shown.count == 2 && shown.last?.contains("preview: 37x23") == true, "\(shown)")
        try await again.setParameters(["amount": .number(0)])
        #expect(try await again.preview().picture == picture)
        await again.cancel()

        let other = try await studio.open(asset, "other", ["amount": "5"])
        #expect(other.input == .current)
        #expect(try await other.preview().picture == picture.adding(12))
        #expect(studio.host.decodes.fullSize == before.fullSize)
        _ = try await other.finish()
        #expect(try studio.current(asset) == picture.adding(12))
        let edited = try studio.currentBytes(asset)
        // A session commits the same bytes as a re-render.
        try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) {
            #expect($0.status == .rendered)
        }
        #expect(try studio.currentBytes(asset) == edited)
        await studio.host.shutDown()
    }
}

extension TestStudio {
    /// A picture with a linear gradient in each band: (x + y) / 4 + 20 * band.
    static let slope = TestPicture(
        width: 300, height: 200, bands: 3,
        samples: (0..<200).flatMap { y in
            (0..<300).flatMap { x in
                (0..<3).map { UInt8(slopeValue(Double(x), Double(y)) + 20 * $0) }
            }
        })

    /// The first band of the gradient.
    static func slopeValue(_ x: Double, _ y: Double) -> Int { Int((x + y) / 4) }

    func open(
        _ identifier: String, _ name: String = "adder", _ values: [String: String] = [:],
        displaySize: Int = 2048
    ) async throws -> EditingSession {
        try await host.openEditingSession(
            for: identifier, EditRequest(extensionName: name, values: values), in: library,
            displaySize: displaySize)
    }

    func open(
        _ identifier: String, _ values: [String: String], displaySize: Int = 2048
    ) async throws -> EditingSession {
        try await open(identifier, "adder", values, displaySize: displaySize)
    }
}

extension TestPicture {
    /// A picture of one colour.
    static func plain(width: Int, height: Int) -> TestPicture {
        TestPicture(
            width: width, height: height, bands: 3,
            samples: (0..<width * height).flatMap { _ in [100, 60, 20] })
    }
}

extension DisplaySizeImage {
    /// The 8-bit pixels.
    var picture: TestPicture {
        TestPicture(width: width, height: height, bands: bands, samples: Array(data))
    }
}

extension ParameterValue {
    /// The number, which JSON may have decoded as an integer.
    var asDouble: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }
}
