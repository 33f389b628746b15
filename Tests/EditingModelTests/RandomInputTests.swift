// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// Arbitrary text and JSON that crosses a trust boundary is read or rejected.
@Suite("random manifests, parameters and recipes")
struct RandomInputTests {
    private let seed = TestSeed.seed()

    private static let manifests: [Data] = ["SepiaFilter", "CropRotate", "ColorMixer", "Retouch"]
        .compactMap {
            try? Data(
                contentsOf: URL(
                    fileURLWithPath: "\(BuildProducts.packageFolder)/Plugins/\($0)/manifest.json"))
        }

    @Test("3,000 random and mutated manifests are read or rejected without a trap")
    func manifests() throws { try readManifests(3_000) }

    /// Reads `rounds` manifests.
    func readManifests(_ rounds: Int) throws {
        var random = SeededGenerator(seed: seed)
        try #require(Self.manifests.count == 4)
        var read = 0
        for round in 0..<rounds {
            let valid = Fuzz.pick(Self.manifests, using: &random)
            let bytes =
                switch round % 5 {
                case 0: Fuzz.bytes(Int.random(in: 0...200, using: &random), using: &random)
                case 1, 2: Fuzz.mutated(valid, using: &random)
                default: Fuzz.mutatedJSON(valid, using: &random)
                }
            do {
                let manifest = try ExtensionManifest(json: bytes)
                read += 1
                expectSound(manifest)
            } catch let error as InvalidValueError {
                _ = error.description
            }
        }
        #expect(read > rounds / 30, "seed \(seed)")
    }

    /// Checks the guarantees of every manifest that was read.
    private func expectSound(_ manifest: ExtensionManifest) {
        let files = [manifest.library] + manifest.hashedFiles
        #expect(files.allSatisfy { !$0.contains("/") && $0 != ".." }, "seed \(seed)")
        let names =
            [manifest.identifier, manifest.name, manifest.version] + files
            + manifest.parameters.map(\.name) + manifest.presets.map(\.name)
        #expect(names.allSatisfy { $0.isName }, "seed \(seed)")
        for parameter in manifest.parameters {
            _ = parameter.expectation
            guard let value = parameter.default else { continue }
            #expect((try? parameter.checked(value)) != nil, "seed \(seed)")
        }
    }

    @Test("10,000 random parameter values are accepted or rejected without a trap")
    func parameters() throws { try readValues(10_000) }

    /// Reads `rounds` parameter values.
    func readValues(_ rounds: Int) throws {
        var random = SeededGenerator(seed: seed)
        let parameters = try Self.everyType()
        let texts = [
            "0.5", "-1", "1e400", "nan", "inf", "0x7f", "true", "#aabbcc", "#aabbccdd",
            "0.1,0.2", "0,0,1,1", "0.25,0.25,0.5,0.5", "9223372036854775808", "",
            "[[0,0],[0.5,0.75],[1,1]]",
        ]
        var taken = 0
        for _ in 0..<rounds {
            let parameter = Fuzz.pick(parameters, using: &random)
            let text = Data(Fuzz.pick(texts, using: &random).utf8)
            let changed = Bool.random(using: &random) ? text : Fuzz.mutated(text, using: &random)
            do {
                let value = try parameter.value(fromText: String(decoding: changed, as: UTF8.self))
                taken += 1
                // An accepted value survives encoding and decoding.
                let json = try JSONEncoder().encode(value)
                let again = try JSONDecoder().decode(ParameterValue.self, from: json)
                #expect(try parameter.checked(again) == value, "\(value), seed \(seed)")
            } catch let error as InvalidValueError {
                _ = "\(error)"
            }
        }
        #expect(taken > rounds / 10, "seed \(seed)")
    }

    private static func everyType() throws -> [ExtensionParameter] {
        let json = """
            {"identifier": "org.example.all", "name": "All", "version": "1.0", "abi": "1.0",
             "library": "liball.so", "supportedMediaTypes": ["image"], "parameters": [
              {"name": "a", "type": "number", "minimum": -1, "maximum": 1, "default": 0},
              {"name": "b", "type": "integer", "default": 0},
              {"name": "c", "type": "boolean", "default": true},
              {"name": "d", "type": "choice", "choices": ["true", "0.5"], "default": "true"},
              {"name": "e", "type": "color", "default": "#000000"},
              {"name": "f", "type": "point", "default": {"x": 0, "y": 0}},
              {"name": "g", "type": "rectangle",
               "default": {"x": 0, "y": 0, "width": 1, "height": 1}},
              {"name": "h", "type": "angle", "default": 0},
              {"name": "i", "type": "text", "default": ""},
              {"name": "j", "type": "file"},
              {"name": "k", "type": "number", "default": 0},
              {"name": "l", "type": "points", "maximumCount": 3, "default": []},
              {"name": "m", "type": "curve", "default": [[0, 0], [1, 1]]}]}
            """
        return try ExtensionManifest(json: Data(json.utf8)).parameters
    }

    @Test("5,000 random recipes and names are stored intact or rejected without a trap")
    func recipes() throws {
        print("recipes: seed \(seed)")
        try readRecipes(5_000)
    }

    /// Reads `rounds` recipes.
    func readRecipes(_ rounds: Int) throws {
        var random = SeededGenerator(seed: seed)
        var stored = 0
        for _ in 0..<rounds {
            let name = String(
                decoding: Fuzz.bytes(
                    Fuzz.pick([0, 1, 20, 255, 256, 1000], using: &random), using: &random),
                as: UTF8.self)
            let data = Fuzz.bytes(Int.random(in: 0...300, using: &random), using: &random)
            do {
                let recipe = try AdjustmentData(
                    formatIdentifier: name, formatVersion: "1.0", data: data
                ).checked()
                stored += 1
                #expect(recipe.data == data && !data.isEmpty, "seed \(seed)")
                #expect((1...255).contains(recipe.formatIdentifier.utf8.count), "seed \(seed)")
                let body = try MessageBody.encode(recipe)
                let again = try MessageBody.decode(AdjustmentData.self, from: body)
                #expect(again == recipe, "seed \(seed)")
                let changed = Fuzz.mutatedJSON(body, using: &random)
                _ = try? MessageBody.decode(AdjustmentData.self, from: changed)
            } catch let error as InvalidValueError {
                _ = "\(error)"
            }
        }
        // A sixth of the names has one byte, which is rarely a control character.
        #expect(stored > rounds / 20, "seed \(seed)")
    }
}

/// The same with many more inputs.
@Suite("random manifests, parameters and recipes, exhaustive", .torture)
struct RandomInputTorture {
    private static let rounds = 100_000

    @Test("100,000 random and mutated manifests are read or rejected")
    func manifests() throws { try RandomInputTests().readManifests(Self.rounds) }

    @Test("100,000 random parameter values are accepted or rejected")
    func values() throws { try RandomInputTests().readValues(Self.rounds) }

    @Test("100,000 random recipes and names are stored intact or rejected")
    func recipes() throws { try RandomInputTests().readRecipes(Self.rounds) }
}
