// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Edits of real videos.
@Suite("videos of the corpus")
struct VideoCorpusTests {
    @Test(
        "E-01 F-02 C-15 sepia keeps frames, times and sound of real videos, with ffmpeg's pixels",
        .corpus)
    func sepia() async throws {
        let studio = try TestStudio { try TestExtension.assemble("SepiaFilter", in: $0) }
        let paths = try Corpus.rows(expecting: "import").filter { $0["media_type"] == "video" }
            .map { try Corpus.path($0["path"] ?? "") }
        #expect(paths.count >= 4)
        for path in paths {
            let name = (path as NSString).lastPathComponent
            let video = try await studio.add(
                try Data(contentsOf: URL(fileURLWithPath: path)), named: name)
            let asset = try studio.library.asset(withLocalIdentifier: video)
            #expect(try asset.canPerform(.content, in: studio.library))
            _ = try await studio.edit(video, "sepia")
            let edited = try studio.folder.write(studio.currentBytes(video), to: "edited-\(name)")
            #expect(try TestVideo.times(edited) == TestVideo.times(path), "\(name)")
            #expect(try TestVideo.sound(edited) == TestVideo.sound(path), "\(name)")
            let (before, after) = (try TestVideo.probe(path), try TestVideo.probe(edited))
            #expect(abs(after.duration - before.duration) < 0.002, "\(name)")
            #expect(after.width == before.width && after.height == before.height, "\(name)")
            let ratios = try TestVideo.ratios(
                edited, to: path,
                filter: "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131")
            #expect(try ratios.count == TestVideo.times(path).count, "\(name)")
            #expect(ratios.reduce(0, +) / Double(max(1, ratios.count)) > 40, "\(name): \(ratios)")
            #expect(ratios.allSatisfy { $0 > 36 }, "\(name): \(ratios)")
        }
        #expect(
            try Asset.fetchAssets(with: .video, in: studio.library).count == paths.count)
        #expect(try Asset.fetchAssets(with: .image, in: studio.library).isEmpty)
        await studio.host.shutDown()
    }
}
