// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension Workbench {
    /// A library whose edits were made by a build of the extension that drew other pixels, and the identifiers of its
    /// photos.
    static func withStaleEdits() throws -> (Workbench, [String]) {
        let bench = try Workbench()
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        try bench.assumeReproducing()
        var ids: [String] = []
        for seed in 0..<24 {
            let path = try bench.folder.write(
                TestPicture.gradient(width: 1600, height: 1200, seed: seed).encoded(),
                to: "photos/picture\(seed).png")
            ids.append(try #require(try bench.json("import", path).first?["id"] as? String))
        }
        let edited = try bench.run(["edit"] + ids + ["--with", "adder"])
        try #require(edited.status == 0, "\(edited.errors)")
        try TestExtension.buildAdder(
            defines: ["DRAWS_ELSE"], in: bench.folder.file("extensions"))
        return (bench, ids)
    }

    /// The stored files of a copy of the library that is re-rendered on this machine.
    func rerenderedCopy() throws -> Set<String> {
        let copy = folder.file("Rerendered.editlibrary")
        let copied = try runProgram(
            "/bin/cp", ["-a", folder.file("Photos.editlibrary"), copy])
        try #require(copied.status == 0, "\(copied.errors)")
        let rendered = try run("rerender", "--all", environment: ["EDITHOST_LIBRARY": copy])
        try #require(rendered.status == 0, "\(rendered.errors)")
        return try Self.storedFiles(copy)
    }

    /// Expects that the library has the files and keys of a re-rendered copy.
    func expectAllRerendered(_ count: Int, with files: Set<String>) throws {
        #expect(try Self.storedFiles(folder.file("Photos.editlibrary")) == files)
        // Equal keys: nothing is left to be rendered.
        let rest = try run("rerender", "--all", "--dry-run", "--json")
        let states = try rest.objects.compactMap { $0["status"] as? String }
        #expect(states.count == count && states.allSatisfy { $0 == "upToDate" }, "\(states)")
        #expect(try run("check", "--read-data", "100").status == 0)
    }

    /// The files of a library, which are named by their hash.
    private static func storedFiles(_ library: String) throws -> Set<String> {
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(library)/blobs")
        return Set(files.map { ($0 as NSString).lastPathComponent }.filter { $0.utf8.count >= 64 })
    }
}
