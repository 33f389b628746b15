// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

@testable import EditHost

/// Moves of JSON files of Google Takeout that several pictures use, in imports that end early.
@Suite("moved files that several groups use")
struct SharedImportFileTests {
    private struct Stop: Error {}

    private let studio: TestStudio
    private let folder: String

    init() throws {
        studio = try TestStudio()
        folder = studio.folder.file("tree")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for (seed, name) in ["a-edited.jpg", "a.jpg", "b-edited.jpg", "b.jpg"].enumerated() {
            try studio.folder.write(
                TestPicture.gradient(seed: seed).encoded("jpeg"), to: "tree/" + name)
        }
        for name in ["a", "b"] {
            let json = #"{"title": "\#(name).jpg", "photoTakenTime": {"timestamp": "1561234567"}}"#
            try studio.folder.write(Data(json.utf8), to: "tree/\(name).jpg.json")
        }
    }

    /// Moves the files into the library until the report of one of them throws an error.
    ///
    /// - Returns: The reported names and warnings.
    private func move(until last: String) async throws -> [(name: String, warnings: [String])] {
        var reported: [(name: String, warnings: [String])] = []
        do {
            try await studio.host.importPhotos(at: [folder], into: studio.library, by: .move) {
                let name = ($0.path as NSString).lastPathComponent
                reported.append((name, $0.warnings))
                if name == last { throw Stop() }
            }
            Issue.record("the import did not end early")
        } catch is Stop {}
        await studio.host.shutDown()
        return reported
    }

    @Test("a JSON is removed with the last of its pictures, even if an error then ends the import")
    func finished() async throws {
        let reported = try await move(until: "b.jpg")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!left.contains("a.jpg.json"))
        #expect(reported.prefix(3).map(\.name) == ["a-edited.jpg", "a.jpg", "a.jpg.json"])
        #expect(reported.prefix(3).allSatisfy { $0.warnings.isEmpty }, "\(reported)")
        // The error concerns only the report.
        #expect(!left.contains("b.jpg.json"))
    }

    @Test("a JSON that another picture needs stays if an error ends the import")
    func unfinished() {
        let files = SharedImportFiles()
        let json = "/t/a.jpg.json"
        let groups = [
            ImportGroup(primary: "/t/a.jpg", companions: [json, "/t/a.xmp"]),
            ImportGroup(primary: "/t/a-edited.jpg", borrowed: [json]),
            ImportGroup(primary: "/t/a-edited.mov", borrowed: [json]),
        ]
        func file(_ path: String) -> SharedImportFiles.Kept {
            SharedImportFiles.Kept(
                hash: SHA256Digest(bytes: repeatElement(0, count: 32)), size: 1,
                result: ImportResult(path: path, status: .imported))
        }
        files.begin(groups)
        #expect(files.keep(file(json)) && !files.keep(file("/t/a.xmp")))
        func end(_ index: Int) -> [SharedImportFiles.Kept] {
            files.end(groups[index], isImported: true)
        }
        #expect(end(0).isEmpty && end(2).isEmpty)
        #expect(end(1).map(\.result.path) == [json])
        #expect(files.rest().isEmpty)
        files.begin(groups)
        #expect(files.keep(file(json)))
        #expect(end(0).isEmpty)
        #expect(files.rest().map(\.result.path) == [json])
    }
}
