// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Libraries whose database has wrong facts about parameter files.
@Suite("parameter files in hostile libraries")
struct HostileEditFileTests {
    @Test(
        "an impossible parameter file size is damage and allocates no memory",
        arguments: [1 << 49, 1 << 36, (64 << 20) + 1])
    func size(_ size: Int) throws {
        let bench = try Workbench()
        try TestExtension.buildCube(in: bench.folder.file("extensions"))
        let id = try bench.importPicture()
        let path = try bench.folder.write(Data([5, 6, 7, 8, 9]), to: "film.cube")
        let edited = try bench.run("edit", id, "--with", "cube", "--set", "lut=\(path)")
        try #require(edited.status == 0, "\(edited.errors)")
        try bench.execute("UPDATE blob SET size = ? WHERE size = 5", [size])
        for arguments in [
            ["rerender", id, "--force"], ["edit", id, "--with", "cube"],
            ["preview", id, "--with", "cube", "--output", bench.folder.file("preview.png")],
        ] {
            let result = try bench.run(arguments)
            #expect(result.status == 65, "\(arguments): \(result.status) \(result.errors)")
            #expect(result.errors.contains("edithost check"), "\(result.errors)")
        }
        let check = try bench.run("check")
        #expect(check.status == 2)
        #expect(check.output.contains("editFileDamaged"), "\(check.output)")
    }
}
