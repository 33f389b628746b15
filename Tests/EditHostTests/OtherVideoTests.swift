// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// Videos of formats that cannot be opened.
@Suite("unsupported video formats")
struct OtherVideoTests {
    @Test(
        "import names the format of an unsupported video",
        arguments: [
            ("c.m2v", "mpeg2video", "mpeg2video", "MPEG video stream"),
            ("e.flv", "flv", "flv", "Flash Video"),
            ("f.mxf", "mxf", "mpeg2video", "MXF"), ("g.ivf", "ivf", "libvpx", "IVF"),
            ("h.ogv", "ogg", "libtheora", "Ogg video"), ("i.ogv", "ogg", "libvpx", "Ogg video"),
        ])
    func named(name: String, muxer: String, codec: String, format: String) async throws {
        let studio = try TestStudio(extensions: { _ in }, trusted: false)
        let path = studio.folder.file(name)
        try TestVideo.run([
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-c:v", codec, "-f", muxer, path,
        ])
        var errors: [String] = []
        try await studio.host.importPhotos(at: [path], into: studio.library) {
            #expect($0.status == .rejected)
            errors.append($0.error.map { "\($0)" } ?? "")
        }
        #expect(errors.count == 1)
        let text = errors.first ?? ""
        #expect(text.contains("\(format) files are not supported"), "\(text)")
        #expect(!text.contains("Invalid argument"))
        await studio.host.shutDown()
    }
}
