// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Sidecars that earlier versions added to an asset: their values were set where the asset had none, but were not
/// stored as read from files, and a changed sidecar was added beside the old one.
@Suite("sidecars of earlier versions")
struct EarlierSidecarTests {
    private let studio: TestStudio
    private let picture: String

    init() throws {
        studio = try TestStudio(extensions: { _ in }, trusted: false)
        picture = try studio.folder.write(
            TestPicture.slope(width: 60, height: 40).encoded(), to: "photos/a.png")
    }

    private func write(rating: Int, keywords: [String]) throws {
        let items = keywords.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        let text = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
             xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
             xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
             xmp:Rating="\(rating)"><dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        try studio.folder.write(Data(text.utf8), to: "photos/a.png.xmp")
    }

    private func imported(again: Bool = false) async throws -> [ImportResult] {
        let results = Mutex<[ImportResult]>([])
        try await studio.host.importPhotos(
            at: [studio.folder.file("photos")], into: studio.library, again: again
        ) { result in results.withLock { $0.append(result) } }
        return results.withLock { $0 }
    }

    /// Imports the picture alone, and adds sidecars as an earlier version did.
    private func earlier(
        _ sidecars: [(rating: Int, keywords: [String])], rating: Int, keywords: [String]
    ) async throws -> String {
        let asset = try #require(try await imported().first?.assetIdentifier)
        for sidecar in sidecars {
            try write(rating: sidecar.rating, keywords: sidecar.keywords)
            let blob = try await studio.library.stage(
                path: studio.folder.file("photos/a.png.xmp"))
            let stored = try studio.library.asset(withLocalIdentifier: asset)
            try await studio.library.performChanges {
                let request = try AssetChangeRequest(for: stored)
                try request.addResource(.metadataSidecar, blob: blob, filename: "a.png.xmp")
                request.rating = rating
                for keyword in keywords { try request.addKeyword(keyword) }
            }
        }
        return asset
    }

    private func state(_ asset: String) throws -> (rating: Int?, keywords: [String], stored: Int) {
        let history = try studio.library.history(ofAsset: asset)
        return (
            history.asset.rating, try history.asset.keywords(in: studio.library),
            history.originals.filter { $0.type == .metadataSidecar }.count
        )
    }

    @Test("values that equal those of the old sidecar were not set here")
    func equal() async throws {
        let asset = try await earlier([(2, ["one", "two"])], rating: 2, keywords: ["one", "two"])
        try write(rating: 5, keywords: ["two", "three"])
        #expect(try await imported().map(\.status) == [.updated, .updated])
        let now = try state(asset)
        #expect(now.rating == 5 && now.keywords == ["three", "two"] && now.stored == 1)
        await studio.host.shutDown()
    }

    @Test("other values were set here, and are kept")
    func other() async throws {
        let asset = try await earlier([(2, ["one", "two"])], rating: 3, keywords: ["one"])
        try write(rating: 5, keywords: ["one", "two"])
        let results = try await imported()
        #expect(results.map(\.status) == [.duplicate, .updated])
        #expect(results.first?.kept.map(\.field) == [.rating])
        // The keyword "two" was removed here.
        let now = try state(asset)
        #expect(now.rating == 3 && now.keywords == ["one"] && now.stored == 1)
        await studio.host.shutDown()
    }

    @Test("sidecars that piled up are reduced to the newest when the files are read again")
    func piledUp() async throws {
        let asset = try await earlier(
            [(2, ["one"]), (5, ["one", "five"])], rating: 2, keywords: ["one"])
        #expect(try state(asset).stored == 2)
        // The last one is on disk, so that nothing seems to have changed.
        #expect(try await imported().map(\.status) == [.duplicate, .duplicate])
        #expect(try await imported(again: true).map(\.status) == [.updated, .duplicate])
        let now = try state(asset)
        #expect(now.rating == 5 && now.keywords == ["five", "one"] && now.stored == 1)
        #expect(try await imported(again: true).map(\.status) == [.duplicate, .duplicate])
        await studio.host.shutDown()
    }

    @Test("a video is not read again without the media runner, and says so")
    func withoutMediaRunner() async throws {
        let path = studio.folder.file("photos/b.mp4")
        try TestVideo.make(path, size: "64x48", seconds: 1, [])
        let asset = try #require(
            try await imported().first { $0.resourceType == .video }?.assetIdentifier)
        try write(rating: 4, keywords: ["pier"])
        try FileManager.default.moveItem(
            atPath: studio.folder.file("photos/a.png.xmp"), toPath: path + ".xmp")
        let host = try studio.otherHost(trusted: false) { $0.mediaRunnerExecutable = nil }
        let results = Mutex<[ImportResult]>([])
        try await host.importPhotos(at: [path, path + ".xmp"], into: studio.library) { result in
            results.withLock { $0.append(result) }
        }
        let all = results.withLock { $0 }
        #expect(all.map(\.status) == [.duplicate, .skipped])
        #expect(all.first?.warnings.contains { $0.contains("edithost-media-runner") } == true)
        #expect(try state(asset).stored == 0)
        #expect(
            try await imported().filter { $0.assetIdentifier == asset }.map(\.status)
                == [.updated, .imported])
        #expect(try state(asset).rating == 4)
        await host.shutDown()
        await studio.host.shutDown()
    }
}
