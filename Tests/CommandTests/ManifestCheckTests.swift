// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Messages of `extensions install` about manifests that do not match the code or have unknown keys.
@Suite("checking manifests")
struct ManifestCheckTests {
    /// Builds an adder with the given parameters, outside the search path.
    private static func adder(
        _ bench: Workbench, parameters: [[String: Any]], keys: [String: Any] = [:],
        defines: [String] = []
    ) throws -> String {
        let changes = keys.merging(["parameters": parameters]) { one, _ in one }
        try TestExtension.buildAdder(
            defines: defines, manifest: changes, in: bench.folder.file("source"))
        return bench.folder.file("source/adder.editingextension")
    }

    private static var amount: [String: Any] {
        ["name": "amount", "type": "number", "default": 10]
    }

    @Test("a misspelt key is a warning with a suggestion, and the extension is installed")
    func misspelt() throws {
        let bench = try Workbench()
        let source = try Self.adder(
            bench, parameters: [Self.amount.merging(["minimun": 0]) { one, _ in one }],
            keys: ["zones": "x"])
        let result = try bench.run("extensions", "install", source)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains(#""parameters[0].minimun""#))
        #expect(result.errors.contains(#"did you mean "minimum"?"#))
        #expect(result.errors.contains(#""zones""#))
        // Only `install` warns.
        #expect(try bench.run("extensions", "show", "adder").errors.isEmpty)
    }

    @Test("a parameter missing from C code is an error with its name")
    func missingInC() throws {
        let bench = try Workbench()
        let source = try Self.adder(
            bench,
            parameters: [Self.amount, ["name": "amounts", "type": "number", "default": 1]])
        let result = try bench.run("extensions", "install", source)
        #expect(result.status == 69)
        #expect(result.errors.contains(#"lacks the parameter "amounts""#), "\(result.errors)")
        #expect(result.errors.contains(#"did you mean "amount"?"#))
        #expect(try bench.json("extensions", "list").isEmpty)
        // A file parameter has no value until the user sets one.
        let file = try Self.adder(bench, parameters: [Self.amount, ["name": "f", "type": "file"]])
        let installed = try bench.run("extensions", "install", file)
        #expect(installed.status == 0 && installed.errors.isEmpty, "\(installed.errors)")
    }

    @Test("a value of another type in the code than in the manifest is an error that says so")
    func otherType() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let source = try Self.adder(
            bench, parameters: [["name": "amount", "type": "text", "default": ""]])
        let words =
            #"the value of the parameter "amount" in the code of org.example.adder is a number; "#
            + "its manifest declares a text; make them equal"
        let installed = try bench.run("extensions", "install", source)
        #expect(installed.status == 69 && installed.errors.contains(words), "\(installed.errors)")
        try FileManager.default.moveItem(
            atPath: source, toPath: bench.folder.file("extensions/adder.editingextension"))
        for options in [[], ["--set", "amount=1"]] {
            let edited = try bench.run(["edit", ids[0], "--with", "adder"] + options)
            #expect(edited.status == 69 && edited.errors.contains(words), "\(edited.errors)")
        }
    }

    @Test("a parameter missing from a Swift filter is an error with its name")
    func missingInSwift() throws {
        let bench = try Workbench()
        let target = bench.folder.file("source/Brightness.editingextension")
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        let example = "\(BuildProducts.packageFolder)/Examples/BrightnessSwift"
        try TestExtension.compileSwift(
            "\(example)/Brightness.swift", to: "\(target)/libBrightness.so")
        let right = try String(contentsOfFile: "\(example)/manifest.json", encoding: .utf8)
        let wrong = right.replacingOccurrences(of: #""gain""#, with: #""gian""#)
        try #require(wrong != right)
        func install(_ manifest: String) throws -> ProcessResult {
            try manifest.write(
                toFile: "\(target)/manifest.json", atomically: true, encoding: .utf8)
            return try bench.run("extensions", "install", target)
        }
        let refused = try install(wrong)
        #expect(refused.status == 69)
        #expect(refused.errors.contains(#"lacks the parameter "gian""#), "\(refused.errors)")
        #expect(refused.errors.contains(#"did you mean "gain"?"#))
        let installed = try install(right)
        #expect(installed.status == 0 && installed.errors.isEmpty, "\(installed.errors)")
    }

    @Test("an extension that does not start an edit of a plain picture installs with a warning")
    func notComparable() throws {
        let bench = try Workbench()
        let source = try Self.adder(
            bench, parameters: [Self.amount], defines: ["FAILS_AT_START"])
        let result = try bench.run("extensions", "install", source)
        #expect(result.status == 0)
        #expect(result.errors.contains("cannot compare the parameters"), "\(result.errors)")
        #expect(result.errors.contains("no start today"))
    }
}
