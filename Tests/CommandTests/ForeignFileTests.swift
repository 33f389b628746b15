// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A library that declares an unrelated file of the user as a referenced original.
@Suite("foreign files as referenced originals")
struct ForeignFileTests {
    private let bench: Workbench
    private let id: String
    private let secret = TestPicture.gradient(seed: 7)

    /// The foreign file has the size and modification time of the referenced one.
    init() throws {
        bench = try Workbench(extensions: ["SepiaFilter"])
        let own = try bench.folder.write(
            TestPicture.gradient(seed: 1).encoded("tiff"), to: "photos/own.tif")
        try FileManager.default.createDirectory(
            atPath: bench.folder.file("private"), withIntermediateDirectories: true)
        let foreign = try bench.folder.write(secret.encoded("tiff"), to: "private/secret.tif")
        let sizes = try [own, foreign].map { try Data(contentsOf: URL(fileURLWithPath: $0)).count }
        try #require(sizes[0] == sizes[1])
        #expect(try runProgram("/usr/bin/touch", ["-r", own, foreign]).status == 0)
        id = try #require(
            try bench.json("import", "--reference", own).first?["id"] as? String)
        try bench.execute("UPDATE resource SET url = ?", ["file://\(foreign)"])
    }

    @Test(
        "export does not copy them in any form: status 65 and no file",
        arguments: [
            ["export", "--version", "original"], ["export", "--version", "unadjusted"], ["export"],
            ["export", "--format", "png"],
            ["export", "--version", "unadjusted", "--size", "10x10"],
            ["resources", "--type", "photo"],
        ])
    func copied(arguments: [String]) throws {
        let target =
            arguments[0] == "export"
            ? ["--to", bench.folder.file("out")] : ["--output", bench.folder.file("out/file")]
        try FileManager.default.createDirectory(
            atPath: bench.folder.file("out"), withIntermediateDirectories: true)
        let result = try bench.run([arguments[0], id] + arguments.dropFirst() + target)
        #expect(result.status == 65, "\(result.output) \(result.errors)")
        #expect(result.errors.contains("secret.tif") && result.errors.contains("was changed"))
        #expect(try bench.files(in: "out").isEmpty)
    }

    @Test("the previous version of an edit is not exported, and the file is unchanged")
    func previous() throws {
        let edited = try bench.run("edit", id, "--with", "sepia")
        #expect(edited.status == 0, "\(edited.errors)")
        let result = try bench.run(
            "resources", id, "--type", "adjustmentBasePhoto", "--output", bench.folder.file("out"))
        #expect(result.status == 65)
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("out")))
        #expect(try bench.files(in: "private") == ["secret.tif": secret.encoded("tiff")])
    }

    @Test("a companion without a hash is not exported")
    func companion() throws {
        let secret = bench.folder.file("private/secret.tif")
        try bench.execute(
            """
            INSERT INTO resource (asset_id, type, is_primary, url, filename, format, content_size,
                content_date)
            SELECT asset_id, 1001, 0, ?, 'x.xmp', 'unknown', content_size, content_date
            FROM resource
            """,
            ["file://\(secret)"])
        let result = try bench.run(
            "resources", id, "--type", "metadataSidecar", "--output", bench.folder.file("out"))
        #expect(result.status == 65)
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("out")))
    }
}
