// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The answers of `extensions list --for`: whether each extension can edit a photo, and why.
@Suite("Extensions for a photo")
struct ExtensionAnswersTests {
    /// A library with four extensions: the author of the last edit, one that does not read its recipe, one that rejects
    /// the recipe although its manifest declares to read it, and one for videos.
    private static func bench() throws -> (Workbench, id: String) {
        let (bench, ids) = try Workbench.withPhotos(1)
        let folder = bench.folder.file("extensions")
        try TestExtension.buildAdder(in: folder)
        try TestExtension.buildAdder("org.example.other", in: folder)
        try TestExtension.buildAdder(
            "org.example.refuser", defines: ["READS=\"org.example.none\""],
            manifest: ["reads": [["formatIdentifier": "org.example.adder"]]], in: folder)
        try TestExtension.buildAdder(
            "org.example.video", manifest: ["supportedMediaTypes": ["video"]], in: folder)
        return (bench, ids[0])
    }

    /// The expected list after an edit with the adder, ordered by identifier.
    private static let answers: [(name: String, supported: Bool, canHandle: Bool?, why: String)] = [
        ("adder", true, true, "accepts org.example.adder 1.0"),
        ("other", true, false, "the manifest does not declare org.example.adder 1.0"),
        ("refuser", true, false, "does not accept org.example.adder 1.0"),
        ("video", false, nil, "cannot edit assets of type image"),
    ]

    @Test("M-03 extensions list --for gives each answer and its reason, as JSON and as a table")
    func listed() throws {
        let (bench, id) = try Self.bench()
        let before = try bench.json("extensions", "list", "--for", id)
        try #require(before.count == 4)
        #expect(before.allSatisfy { $0["canHandle"] is NSNull })
        let reason = "no edit to continue"
        #expect(before.prefix(3).allSatisfy { $0["reason"] as? String == reason })
        #expect(before.map { $0["supported"] as? Bool } == [true, true, true, false])
        #expect(before[3]["reason"] as? String == Self.answers[3].why)
        try #require(try bench.run("edit", id, "--with", "adder").status == 0)
        let after = try bench.json("extensions", "list", "--for", id)
        try #require(after.count == Self.answers.count)
        for (line, answer) in zip(after, Self.answers) {
            #expect(line["identifier"] as? String == "org.example.\(answer.name)")
            #expect(line["supported"] as? Bool == answer.supported, "\(answer.name)")
            #expect(line["canHandle"] as? Bool == answer.canHandle, "\(answer.name)")
            #expect(line["reason"] as? String == answer.why)
        }

        let result = try bench.run("extensions", "list", "--for", id)
        #expect(result.status == 0, "\(result.errors)")
        // Columns are at least two spaces apart.
        let rows = result.output.split(separator: "\n").map { line in
            String(line).components(separatedBy: "  ").filter { !$0.isEmpty }
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let heading = ["IDENTIFIER", "NAME", "VERSION", "SUPPORTED", "CAN HANDLE", "WHY"]
        let expected = Self.answers.map { answer -> [String] in
            [
                "org.example.\(answer.name)", "Adder", "1.0", answer.supported ? "yes" : "no",
                answer.canHandle.map { $0 ? "yes" : "no" } ?? "-", answer.why,
            ]
        }
        #expect(rows == [heading] + expected)
    }
}
