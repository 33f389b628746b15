// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The files that `make install-media` installs.
@Suite("installed parts")
struct InstalledPartsTests {
    private func install(_ part: String, below folder: TemporaryFolder) throws -> ProcessResult {
        let configuration = URL(fileURLWithPath: BuildProducts.programs).lastPathComponent
        return try runProgram(
            "\(BuildProducts.packageFolder)/Scripts/install",
            [configuration, "/usr", folder.file("root"), part])
    }

    @Test("the media runner is a separate package with its licence")
    func media() throws {
        let folder = try TemporaryFolder()
        let result = try install("media", below: folder)
        #expect(result.status == 0, "\(result.errors)")
        let found = FileManager.default.enumerator(atPath: folder.file("root"))?
            .compactMap { $0 as? String }
            .filter { !FileManager.default.isFolder("\(folder.file("root"))/\($0)") }
        #expect(
            Set(found ?? []) == [
                "usr/lib/edithost/edithost-media-runner",
                "usr/share/doc/edithost-media-runner/LICENSE",
            ])
        let licence = try String(
            contentsOfFile: folder.file("root/usr/share/doc/edithost-media-runner/LICENSE"),
            encoding: .utf8)
        #expect(licence.contains("edithost-media-runner") && licence.contains("GNU"))
    }

    @Test("an unknown part is rejected, and nothing is written")
    func unknown() throws {
        let folder = try TemporaryFolder()
        let result = try install("nothing", below: folder)
        #expect(result.status == 64 && result.errors.contains("nothing"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("root")))
    }
}

extension FileManager {
    fileprivate func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
