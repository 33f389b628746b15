// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import RunnerHost
import TestSupport
import Testing

/// The files of a JPEG contact sheet of several pages.
@Suite("pages of contact sheets")
struct ContactSheetPageTests {
    @Test("a file that appears while a contact sheet is made is not replaced by one of its pages")
    func appearingFile() async throws {
        let studio = try TestStudio()
        var assets: [String] = []
        for seed in 1...3 {
            let picture = TestPicture.gradient(width: 40, height: 30, seed: seed)
            assets.append(try await studio.add(try picture.encoded(), named: "\(seed).png"))
        }
        let manager = ImageManager(host: studio.host, library: studio.library)
        var options = ImageFileOptions()
        options.size = PixelSize(width: 1024, height: 1024)
        var pages: [String] = []
        let folder = studio.folder
        let error = await #expect(throws: HostError.self) {
            try await manager.writeContactSheet(
                of: assets, toFile: folder.file("sheet.jpg"), options, .jpeg, captions: [],
                report: { _, result in _ = try result.get() },
                written: { path, _ in
                    pages.append(path)
                    if pages.count == 1 {
                        try folder.write(Data("a photo".utf8), to: "sheet-2.jpg")
                    }
                })
        }
        #expect(error?.code == .fileFailed)
        #expect(pages == [folder.file("sheet-1.jpg")])
        let content = FileManager.default.contents(atPath: folder.file("sheet-2.jpg"))
        #expect(content == Data("a photo".utf8))
        #expect(!FileManager.default.fileExists(atPath: folder.file("sheet-3.jpg")))
        await studio.host.shutDown()
    }
}
