// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `export` into folders whose record, names or place others have chosen.
@Suite("Exports and what others can write into their folder")
struct ExportProofTests: ExportingTests {
    let bench: Workbench
    private let ids: [String]
    let folder: String

    init() throws {
        (bench, ids) = try Workbench.withPhotographs(2, extensions: ["SepiaFilter"])
        folder = bench.folder.file("out")
    }

    @Test(
        "a place far below a library's folder is refused, also if its path could not be written with all the dots"
    )
    func depth() throws {
        let library = bench.folder.file("Photos.editlibrary")
        let depth = 1400
        let made = try runProgram(
            "/bin/sh",
            [
                "-c",
                "cd \"$0\" && i=0 && while [ $i -lt \(depth) ]; do mkdir d && cd d && i=$((i+1)); done",
                library,
            ],
            environment: bench.environment(), folder: bench.folder.path)
        try #require(made.status == 0, "\(made.errors)")
        let deep =
            library.replacingOccurrences(of: bench.folder.path + "/", with: "")
            + String(repeating: "/d", count: depth)
        #expect(symlink(deep, bench.folder.file("link")) == 0)
        for place in [deep, "./" + deep + "/new", "Photos.editlibrary/d/../d/new/..", "link/new"] {
            for command in [
                ["export", ids[0], "--to", place], ["image", ids[0], "--output", place + "/i.png"],
                ["resources", ids[0], "--type", "photo", "--output", place + "/r"],
                ["image", ids[0], "--to", place],
            ] {
                let result = try bench.run(command)
                #expect(
                    result.status == 64,
                    "\(command[0]) \(place.suffix(20)): \(result.errors.suffix(200))")
            }
        }
    }
}
