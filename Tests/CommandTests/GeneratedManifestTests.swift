// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing

/// Manifests that are generated from the code of an extension.
@Suite("generated manifests")
struct GeneratedManifestTests {
    private static let example = "\(BuildProducts.packageFolder)/Examples/FadeSwift/Fade.swift"

    /// A hand-written manifest for the example.
    private static let byHand = """
        {
          "identifier": "com.example.fade", "name": "Fade", "version": "1.0", "abi": "1.1",
          "library": "libFade.so", "supportedMediaTypes": ["image"],
          "author": "The edithost contributors", "license": "Apache-2.0",
          "description": "Fades a picture, as light fades prints.",
          "reads": [{ "formatIdentifier": "com.example.fade", "formatVersions": ["1.0"] }],
          "writes": [{ "formatIdentifier": "com.example.fade", "formatVersions": ["1.0"] }],
          "parameters": [
            {
              "name": "strength", "type": "number", "minimum": 0, "maximum": 1, "step": 0.01,
              "label": { "en": "Strength", "de": "Stärke" }, "default": 0.5
            },
            {
              "name": "mode", "type": "choice", "choices": ["plain", "tinted"], "label": "Mode",
              "help": "What shadows become.", "group": "Shadows", "default": "plain"
            },
            {
              "name": "shadows", "type": "color", "label": "Colour", "group": "Shadows",
              "visibleWhen": { "parameter": "mode", "in": ["tinted"] }, "default": "#203040ff"
            },
            {
              "name": "tones", "type": "curve", "minimumCount": 2, "maximumCount": 8,
              "label": "Tones", "default": [[0, 0], [1, 1]]
            }
          ],
          "presets": [
            {
              "name": "album", "label": { "en": "Old album", "de": "Altes Album" },
              "values": { "strength": 0.8 }
            }
          ]
        }
        """

    /// An extension folder with the example's library, outside the search path.
    private static func built(_ bench: Workbench) throws -> (folder: String, library: String) {
        let folder = bench.folder.file("source/Fade.editingextension")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try TestExtension.compileSwift(example, to: "\(folder)/libFade.so")
        return (folder, "\(folder)/libFade.so")
    }

    @Test(
        "the example's generated manifest equals the hand-written one, and the extension works"
    )
    func example() throws {
        let bench = try Workbench()
        let (folder, library) = try Self.built(bench)
        let made = try bench.run("extensions", "manifest", library)
        try #require(made.status == 0, "\(made.errors)")
        let manifest = try ExtensionManifest(json: Data(made.output.utf8))
        #expect(try manifest == ExtensionManifest(json: Data(Self.byHand.utf8)))
        #expect(made.errors.isEmpty)
        let another = try bench.run(
            "extensions", "manifest", library, "--identifier", "com.example.other")
        #expect(another.status == 69 && another.output.isEmpty)
        #expect(another.errors.contains("generates the manifest of com.example.fade"))
        let line = try bench.run("extensions", "manifest", library, "--json").output
        #expect(line.split(separator: "\n").count == 1)
        #expect(try ExtensionManifest(json: Data(line.utf8)) == manifest)

        try made.output.write(
            toFile: "\(folder)/manifest.json", atomically: true, encoding: .utf8)
        let installed = try bench.run("extensions", "install", folder)
        try #require(installed.status == 0 && installed.errors.isEmpty, "\(installed.errors)")
        let id = try bench.importPicture()
        // At full strength, every pixel becomes a quarter of white.
        let edited = try bench.run("edit", id, "--with", "fade", "--set", "strength=1")
        try #require(edited.status == 0, "\(edited.errors)")
        #expect(try Self.samples(bench, id).allSatisfy { abs(Int($0) - 64) <= 1 })
        // The curve inverts the picture, and half of the colour is blended over it.
        let turned = try bench.run(
            "edit", id, "--with", "fade", "--preset", "album", "--set", "strength=0.5", "--set",
            "tones=[[0,1],[1,0]]", "--set", "mode=tinted", "--set", "shadows=#646464")
        try #require(turned.status == 0, "\(turned.errors)")
        let original = try bench.exported(id, "original").picture.samples
        let expected = original.map { (255 - Double($0)) / 2 + 50 }
        let differences = zip(try Self.samples(bench, id), expected).map { abs(Double($0) - $1) }
        #expect(differences.allSatisfy { $0 <= 1 })
        try Self.expectStrictColors(bench, folder, manifest: made.output)
    }

    /// Checks the colours that the example accepts, as a recipe may contain any text.
    private static func expectStrictColors(
        _ bench: Workbench, _ folder: String, manifest: String
    ) throws {
        // The host does not check texts.
        let color = #""type" : "color""#
        try #require(manifest.contains(color))
        try manifest.replacingOccurrences(of: color, with: #""type" : "text""#)
            .write(toFile: "\(folder)/manifest.json", atomically: true, encoding: .utf8)
        let picture = try bench.picture()
        func run(_ color: String) throws -> ProcessResult {
            try bench.run(
                "extensions", "run", folder, "--input", picture, "--output",
                bench.folder.file("out.png"), "--set", "mode=tinted", "--set", "shadows=\(color)")
        }
        for valid in ["#203040", "#203040ff", "#AbCdEf"] {
            let result = try run(valid)
            #expect(result.status == 0, "\(valid): \(result.errors)")
        }
        for invalid in ["203040", "203040ff", "#2030", "#203040f", "#203040ff0", "#+20304"] {
            let result = try run(invalid)
            #expect(
                result.status != 0 && result.errors.contains("is not a colour"),
                "\(invalid): \(result.errors)")
        }
    }

    private static func samples(_ bench: Workbench, _ id: String) throws -> [UInt8] {
        try bench.exported(id, "current").picture.samples
    }

    @Test("sources that yield no manifest and files that are not libraries are reported")
    func others() throws {
        let bench = try Workbench()
        func run(_ path: String, _ rest: String...) throws -> ProcessResult {
            try bench.run(["extensions", "manifest", path] + rest)
        }
        try TestExtension.buildAdder(in: bench.folder.file("source"))
        let inC = try run(bench.folder.file("source/adder.editingextension/libadder.so"))
        #expect(inC.status == 69)
        #expect(inC.errors.contains("generates no manifest"), "\(inC.errors)")
        #expect(try run(bench.folder.file("nothing.so")).status == 66)
        #expect(try run(bench.folder.path).status != 0)
        let text = try bench.folder.write(Data("text".utf8), to: "libtext.so")
        #expect(try run(text).status == 69)
        // A FIFO does not block the command.
        let fifo = bench.folder.file("libfifo.so")
        #expect(mkfifo(fifo, 0o600) == 0)
        #expect(try run(fifo).status == 73)
        let other = bench.folder.file("source/wrong.so")
        try TestExtension.compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/describing.c", to: other)
        // A plug-in written in C has its manifest checked like any other.
        let wrong = try run(other)
        #expect(wrong.status == 65)
        #expect(
            wrong.errors.contains(#"the manifest's "parameters[0].default" is missing"#),
            "\(wrong.errors)")
        #expect(wrong.errors.contains(#"did you mean "parameters"?"#))
    }

    @Test("a manifest is JSON if its texts contain characters that a terminal interprets")
    func escaped() throws {
        let bench = try Workbench()
        let library = bench.folder.file("libnamed.so")
        let label = "a\u{200F}\u{202E}\u{AD}\u{7F}b"
        try TestExtension.compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/describing.c", to: library,
            defines: [#"LABEL="\"\#(label)\"""#])
        for options in [[], ["--json"]] {
            let made = try bench.run(["extensions", "manifest", library] + options)
            try #require(made.status == 0, "\(made.errors)")
            #expect(
                made.output.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHiddenAtTerminal })
            let manifest = try ExtensionManifest(json: Data(made.output.utf8))
            #expect(manifest.parameters.map(\.label) == [.text(label)])
        }
    }
}
