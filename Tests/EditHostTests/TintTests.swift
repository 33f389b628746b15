// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Parameters in C without a JSON parser: the example, and hostile texts.
@Suite("C parameters")
struct TintTests {
    private static let example = "\(BuildProducts.packageFolder)/Examples/TintC"

    /// Builds the example as a reader would.
    private static func build(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let made = try runProgram(
            "/usr/bin/env", ["make", "--silent", "-C", example, "OUTPUT=\(folder)"])
        try #require(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
    }

    /// The expected output of the filter for a gray tint.
    private static func tinted(
        _ picture: TestPicture, _ strength: Double, gray: Double, negative: Bool = false
    ) -> TestPicture {
        picture.mapped { sample in
            let own = negative ? 255 - Double(sample) : Double(sample)
            return UInt8(own * (1 - strength) + gray * strength)
        }
    }

    @Test("the C example with parameters has at most 90 lines and no JSON parser")
    func length() throws {
        let text = try String(contentsOfFile: "\(Self.example)/tint.c", encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 91)
        #expect(!text.contains("sscanf") && !text.contains("json-glib"))
    }

    @Test(
        "its parameters are set, stored in the recipe and read again",
        arguments: [true, false])
    func edit(isTrusted: Bool) async throws {
        let studio = try TestStudio(extensions: Self.build, trusted: isTrusted)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "tint", ["strength": "0.25", "color": "#646464"])
        let once = Self.tinted(picture, 0.25, gray: 100)
        #expect(try #require(studio.current(asset).largestDifference(from: once)) <= 1)
        #expect(
            try studio.recipe(asset)
                == ##"{"color":"#646464ff","negative":false,"strength":0.25}"##)

        // Parameters that are not named keep the recipe's values.
        let again = try await studio.edit(asset, "tint", ["negative": "true"])
        #expect(again.input == .original)
        let negative = Self.tinted(picture, 0.25, gray: 100, negative: true)
        #expect(try #require(studio.current(asset).largestDifference(from: negative)) <= 1)
        try await studio.edit(asset, "tint", ["strength": "0"], reset: true)
        #expect(try studio.current(asset) == picture)
        #expect(
            try studio.recipe(asset)
                == ##"{"color":"#704214ff","negative":false,"strength":0}"##)

        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "tint", ["strength": "1.5"])
        }
        #expect(error?.code == .badParameter)
        await studio.host.shutDown()
    }

    @Test("its presets are set by name, and its groups have two languages")
    func presets() async throws {
        let json = try Data(contentsOf: URL(fileURLWithPath: "\(Self.example)/manifest.json"))
        let manifest = try ExtensionManifest(json: json)
        #expect(
            manifest.parameterGroups.map { $0.title?.text(for: ["de"]) } == ["Tönung", "Bild"])
        #expect(manifest.parameterGroups.map(\.parameters.count) == [2, 1])

        let studio = try TestStudio(extensions: Self.build)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "tint", ["negative": "true"])
        func edit(_ preset: String, _ values: [String: String] = [:]) async throws -> String? {
            _ = try await studio.host.edit(
                [asset], EditRequest(extensionName: "tint", values: values, preset: preset),
                in: studio.library)
            return try studio.recipe(asset)
        }
        // Values missing from the preset are kept, and explicit values override it.
        #expect(
            try await edit("cyanotype")
                == ##"{"color":"#0a3d7aff","negative":true,"strength":0.6}"##)
        #expect(
            try await edit("faded", ["color": "#646464"])
                == ##"{"color":"#646464ff","negative":false,"strength":0.3}"##)
        let expected = Self.tinted(picture, 0.3, gray: 100)
        #expect(try #require(studio.current(asset).largestDifference(from: expected)) <= 1)
        let error = await #expect(throws: HostError.self) { _ = try await edit("fadde") }
        #expect(error?.code == .badParameter)
        #expect(error?.description.contains(#"did you mean "faded"?"#) == true)
        await studio.host.shutDown()
    }

    @Test("no text makes the accessors return wrong values or read foreign memory")
    func hostile() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(defines: ["ACCESSORS"], in: $0)
        }
        let asset = try await studio.add(.gradient())
        // The plug-in reports any expectation that was not met.
        #expect(try await studio.edit(asset).status == .committed)
        await studio.host.shutDown()
    }

    @Test("random texts are read or rejected, and merging a text with itself changes nothing")
    func random() throws {
        var random = SeededGenerator(seed: TestSeed.seed())
        let base = Array(
            #"{"a":1.5,"b":"x\n\ud83d\ude00","c":{"x":0.5,"y":1},"d":true,"e":[{"x":0,"y":1}]}"#
                .utf8)
        var read = 0
        for _ in 0..<2000 {
            var bytes = base
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            guard var object = ParameterObject(json: Data(bytes)) else {
                #expect(bytes != base)
                continue
            }
            read += 1
            let before = try object.encoded()
            guard let same = ParameterObject(json: before) else {
                Issue.record("\(String(decoding: before, as: UTF8.self)) is not read again")
                continue
            }
            try object.merge(same)
            #expect(try object.encoded() == before)
        }
        // A quarter of the texts are unchanged.
        #expect(read > 300)
    }
}
