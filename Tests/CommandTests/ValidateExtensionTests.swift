// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `extensions validate`. ExtensionValidationTests contains those of the checks.
@Suite("extensions validate")
struct ValidateExtensionTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func validate(_ path: String, _ options: String...) throws -> ProcessResult {
        try bench.run(["extensions", "validate", path] + options)
    }

    private func member(_ check: String, _ outcome: String) throws -> String {
        let member = try #require(
            ZooMember.all.first { $0.check == check && $0.outcome == outcome })
        return try member.build(in: bench.folder.file("source"))
    }

    @Test("a failed check is printed with its reason, and the status is 65")
    func failed() throws {
        let path = try member("parameter-defaults", "failed")
        let result = try validate(path, "--only", "parameter-types", "--only", "parameter-defaults")
        #expect(result.status == 65)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 2, "\(result.output)\(result.errors)")
        #expect(
            lines.first
                == "failed: parameter-defaults: \"gain\" starts as 2, but its default in the manifest is 1; make them equal"
        )
        #expect(lines.last == "org.example.zoo: 1 passed, 1 failed")
        for name in ["Photos.editlibrary", "data", "config"] {
            #expect(!FileManager.default.fileExists(atPath: bench.folder.file(name)), "\(name)")
        }
    }

    @Test("checks that depend on a failed one are skipped")
    func skipped() throws {
        let result = try validate(
            try member("load", "failed"), "--only", "load", "--only", "create", "--only", "start",
            "--json")
        #expect(result.status == 65)
        let rows = try result.objects
        #expect(rows.count == 4)
        #expect(rows.compactMap { $0["outcome"] as? String } == ["failed", "skipped", "skipped"])
        #expect(rows[1]["reason"] as? String == "load did not pass")
        #expect(rows[2]["reason"] as? String == "create did not pass")
        #expect(rows[3]["failed"] as? Int == 1 && rows[3]["skipped"] as? Int == 2)
    }

    @Test("a crash is an outcome of its own; the other checks run")
    func crashed() throws {
        let result = try validate(
            try member("damaged-recipes", "crashed"), "--only", "damaged-recipes", "--only",
            "finish", "--json")
        #expect(result.status == 65)
        let outcomes = try result.objects.compactMap { $0["outcome"] as? String }
        #expect(outcomes == ["passed", "crashed"])
    }

    @Test("a warning is printed, and the status is 0; --verbose also prints what passed")
    func warning() throws {
        let path = try member("parameter-effect", "warning")
        let options = ["--only", "load", "--only", "parameter-effect"]
        let result = try bench.run(["extensions", "validate", path] + options)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasPrefix("warning: parameter-effect: "), "\(result.output)")
        #expect(result.output.hasSuffix(": 1 passed, 1 warning\n"), "\(result.output)")
        let all = try bench.run(["extensions", "validate", path, "--verbose"] + options)
        #expect(all.output.hasPrefix("passed: load\nwarning: "), "\(all.output)")
    }

    @Test("unknown checks and paths without an extension are errors")
    func wrong() throws {
        let path = try member("alpha", "warning")
        let unknown = try validate(path, "--only", "alpah")
        #expect(unknown.status == 64 && unknown.errors.contains("did you mean \"alpha\""))
        #expect(try validate(bench.folder.file("missing")).status == 66)
        #expect(try validate(bench.folder.file("tmp")).status == 69)
        let archive = try bench.folder.write(Data(), to: "zoo.tar.gz")
        let file = try validate(archive)
        #expect(file.status == 64, "\(file.errors)")
        #expect(
            file.errors.contains("\(archive) is a regular file; give the folder of an extension"),
            "\(file.errors)")
    }

    @Test(
        "M-02 C-01 C-03 K-01 the shipped extensions pass without a warning",
        arguments: [
            "Borders", "ColorLUT", "ColorMixer", "CropRotate", "Curves", "Detail", "LensCorrection",
            "LightAndColor", "Perspective", "Retouch", "SepiaFilter", "Trim", "Vignette",
            "Watermark",
        ])
    func shipped(name: String) throws {
        try TestExtension.assemble(name, in: bench.folder.file("source"))
        let result = try validate(
            bench.folder.file("source/\(name).editingextension"), "--json")
        try expectNoFindings(result)
    }

    private func expectNoFindings(_ result: ProcessResult) throws {
        #expect(result.status == 0, "\(result.errors)")
        for row in try result.objects {
            guard let outcome = row["outcome"] as? String else { continue }
            #expect(["passed", "skipped"].contains(outcome), "\(row)")
        }
    }
}
