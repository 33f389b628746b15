// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// Recipes are opaque bytes to the host, and can be malformed.
@Suite("odd recipes")
struct RecipeTests {
    private static func studio() throws -> TestStudio {
        try TestStudio {
            try TestExtension.buildAdder(in: $0)
            for name in [
                "SepiaFilter", "CropRotate", "LightAndColor", "Curves", "ColorMixer", "Borders",
                "Detail", "Perspective", "Retouch", "Vignette", "Watermark",
            ] {
                try TestExtension.assemble(name, in: $0)
            }
        }
    }

    private static let shipped = [
        "sepia", "croprotate", "lightandcolor", "curves", "colormixer", "borders", "detail",
        "perspective", "retouch", "vignette", "watermark",
    ]

    @Test(
        "a recipe of 0 bytes, 64 MB or an overlong name is rejected",
        arguments: ["empty-recipe", "huge-recipe", "giant-recipe", "endless-format"])
    func refused(mode: String) async throws {
        let studio = try Self.studio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "adder", ["mode": mode])
        }
        #expect(error?.extensionIdentifier == "org.example.adder", "\(error as Any)")
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        #expect(try studio.current(asset) == picture)
        await studio.host.shutDown()
    }

    @Test(
        "non-text recipes and unknown formats are kept and harmless",
        arguments: ["binary-recipe", "unknown-format", "binary-format"])
    func kept(mode: String) async throws {
        let studio = try Self.studio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["mode": mode])
        #expect(try studio.current(asset) == picture.adding(10))
        let recipe = try #require(
            try studio.library.history(ofAsset: asset).chain.last?.adjustmentData)
        switch mode {
        case "binary-recipe":
            #expect(recipe.data == Data([0xFF, 0xFE, 0, 0xC0, 0x80] + Array(" no text".utf8)))
        case "unknown-format":
            #expect(recipe.formatIdentifier == "org.nobody.knows")
            #expect(recipe.formatVersion == "77.\u{1F39E}")
        default:
            #expect(recipe.formatIdentifier == "org.\u{FFFD}\u{FFFD}.binary")
        }
        for name in Self.shipped {
            let binary = try studio.binary(name)
            #expect(try await Self.answers(of: binary, to: [recipe], studio) == [false])
        }
        // The extension rejects its own recipe, so no edit can be added on top of it, but it can be undone.
        let error = await #expect(throws: HostError.self) { try await studio.edit(asset, "sepia") }
        #expect(error?.extensionIdentifier == "org.example.adder")
        #expect(try studio.current(asset) == picture.adding(10))
        _ = try await studio.host.undo(asset, in: studio.library)
        #expect(try await studio.edit(asset, "sepia").input == .original)
        await studio.host.shutDown()
    }

    @Test(
        "shipped extensions reject random megabytes and truncations of their recipes",
        arguments: shipped)
    func randomRecipes(name: String) async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, name)
        let real = try #require(
            try studio.library.history(ofAsset: asset).chain.last?.adjustmentData)
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let megabytes = try (0..<3).map { _ in
            try real.replacing(Fuzz.bytes(1 << 20, using: &random))
        }
        let parts = try (1..<real.data.count).map { try real.replacing(real.data.prefix($0)) }
        try #require(parts.count > 10)
        let binary = try studio.binary(name)
        let said = try await Self.answers(of: binary, to: megabytes + parts, studio)
        #expect(said.allSatisfy { !$0 }, "seed \(seed)")
        #expect(try await Self.answers(of: binary, to: [real], studio) == [true])
        // Any answer to these recipes is valid.
        let changed = try (0..<200).map { round in
            let data =
                round % 2 == 0
                ? Fuzz.mutatedJSON(real.data, using: &random)
                : Fuzz.mutated(real.data, using: &random)
            return try real.replacing(data.isEmpty ? Data([0]) : data)
        }
        _ = try await Self.answers(of: binary, to: changed, studio)
        await studio.host.shutDown()
    }

    /// An extension's answers in one session, in which it must neither end nor miss its deadline.
    private static func answers(
        of binary: ExtensionBinary, to recipes: [AdjustmentData], _ studio: TestStudio
    ) async throws -> [Bool] {
        let session = try await ControllerSession(
            binary, inputExtensions: [], pool: studio.host.pool)
        var answers: [Bool] = []
        for recipe in recipes { answers.append(try await session.canHandle(recipe)) }
        await session.close()
        return answers
    }
}

extension TestStudio {
    fileprivate func binary(_ name: String) throws -> ExtensionBinary {
        try host.extensions.binary(of: try host.extensions.catalogue.installed(named: name))
    }
}

extension AdjustmentData {
    fileprivate func replacing(_ data: Data) throws -> AdjustmentData {
        AdjustmentData(
            formatIdentifier: formatIdentifier, formatVersion: formatVersion, data: data)
    }
}
