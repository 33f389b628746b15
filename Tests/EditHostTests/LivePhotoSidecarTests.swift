// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Sidecars with the whole names of videos beside pictures, such as `a.mov.xmp`.
@Suite("sidecars of Live Photos' videos")
struct LivePhotoSidecarTests {
    private static let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
    private let studio: TestStudio

    init() throws {
        studio = try TestStudio(extensions: { _ in }, trusted: false)
        try FileManager.default.createDirectory(
            atPath: path("in"), withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { studio.folder.file(name) }

    /// Writes a picture without a content identifier.
    private func picture(_ name: String) throws {
        try studio.folder.write(
            TestPicture.slope(width: 60, height: 40).encoded("jpeg"), to: "in/" + name)
    }

    private func video(_ name: String, _ identifier: String? = nil, seconds: Int = 1) throws {
        try TestLivePhoto.makeVideo(path("in/" + name), identifier, seconds: seconds)
    }

    private func sidecar(_ name: String) throws {
        let packet = """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
            <rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='4'/></rdf:RDF></x:xmpmeta>
            """
        try studio.folder.write(Data(packet.utf8), to: "in/" + name)
    }

    /// Imports files and returns their results in order.
    private func importing(
        _ names: [String] = ["in"], by method: ImportMethod = .copy
    ) async throws -> [ImportResult] {
        let results = Mutex<[ImportResult]>([])
        try await studio.host.importPhotos(
            at: names.map(path), into: studio.library, by: method
        ) { result in results.withLock { $0.append(result) } }
        return results.withLock { $0 }
    }

    private func previewing(_ names: [String] = ["in"]) async throws -> [ImportResult] {
        let results = Mutex<[ImportResult]>([])
        try await studio.host.previewImport(at: names.map(path), into: studio.library) { result in
            results.withLock { $0.append(result) }
        }
        return results.withLock { $0 }
    }

    /// The status of each file.
    private func lines(_ results: [ImportResult]) -> [String] {
        results.map { "\($0.status) \(($0.path as NSString).lastPathComponent)" }
    }

    private func types(_ identifier: String?) throws -> Set<AssetResourceType> {
        let asset = try studio.library.asset(withLocalIdentifier: try #require(identifier))
        return try Set(AssetResource.assetResources(for: asset, in: studio.library).map(\.type))
    }

    private func rating(_ identifier: String?) throws -> Int? {
        try studio.library.asset(withLocalIdentifier: try #require(identifier)).rating
    }

    @Test("the sidecar of a motion is stored with the picture", arguments: [false, true])
    func joined(isMoved: Bool) async throws {
        try picture("a.jpg")
        try video("a.mov")
        try sidecar("a.mov.xmp")
        let expected = ["imported a.jpg", "imported a.mov", "imported a.mov.xmp"]
        #expect(lines(try await previewing()) == expected)
        let results = try await importing(by: isMoved ? .move : .copy)
        #expect(lines(results) == expected)
        #expect(Set(results.map(\.assetIdentifier)).count == 1)
        #expect(
            try types(results[0].assetIdentifier) == [.photo, .pairedVideo, .metadataSidecar])
        let left = try FileManager.default.contentsOfDirectory(atPath: path("in")).count
        #expect(left == (isMoved ? 0 : 3))
        if !isMoved {
            let again = ["duplicate a.jpg", "duplicate a.mov", "duplicate a.mov.xmp"]
            #expect(lines(try await previewing()) == again)
            #expect(lines(try await importing()) == again)
            let named = ["in/a.mov", "in/a.mov.xmp"]
            #expect(lines(try await previewing(named)) == Array(again.dropFirst()))
            #expect(lines(try await importing(named)) == Array(again.dropFirst()))
        }
        await studio.host.shutDown()
    }

    @Test("a video that is no motion keeps its sidecar", arguments: [false, true])
    func apart(isMoved: Bool) async throws {
        try picture("a.jpg")
        try video("a.mov", seconds: 12)
        try sidecar("a.mov.xmp")
        let expected = ["imported a.jpg", "imported a.mov", "imported a.mov.xmp"]
        #expect(lines(try await previewing()) == expected)
        let results = try await importing(by: isMoved ? .move : .copy)
        #expect(lines(results) == expected)
        #expect(try types(results[0].assetIdentifier) == [.photo])
        #expect(try types(results[1].assetIdentifier) == [.video, .metadataSidecar])
        #expect(try rating(results[0].assetIdentifier) == nil)
        #expect(try rating(results[1].assetIdentifier) == 4)
        let left = try FileManager.default.contentsOfDirectory(atPath: path("in")).count
        #expect(left == (isMoved ? 0 : 3))
        if !isMoved {
            let again = ["duplicate a.jpg", "duplicate a.mov", "duplicate a.mov.xmp"]
            #expect(lines(try await previewing()) == again)
            #expect(lines(try await importing()) == again)
        }
        await studio.host.shutDown()
    }

    @Test("a new sidecar of a stored motion is reported if the picture is not imported with it")
    func named() async throws {
        try picture("a.jpg")
        try video("a.mov")
        _ = try await importing()
        try sidecar("a.mov.xmp")
        let named = ["in/a.mov", "in/a.mov.xmp"]
        let expected = ["duplicate a.mov", "skipped a.mov.xmp"]
        #expect(lines(try await previewing(named)) == expected)
        let results = try await importing(named)
        #expect(lines(results) == expected)
        let reason = (results[1].error as? HostError)?.message
        #expect(reason?.hasPrefix("its video is part of a Live Photo") == true)
        // With the picture, it is stored.
        let whole = try await importing()
        #expect(lines(whole) == ["updated a.jpg", "duplicate a.mov", "imported a.mov.xmp"])
        #expect(try rating(whole[0].assetIdentifier) == 4)
        await studio.host.shutDown()
    }

    @Test("the sidecar of a video that joins a picture of another name is reported")
    func otherName() async throws {
        try TestLivePhoto.makeStill(path("in/a.jpg"), Self.identifier)
        try video("b.mov", Self.identifier)
        try sidecar("b.mov.xmp")
        let results = try await importing()
        #expect(lines(results) == ["imported a.jpg", "imported b.mov", "skipped b.mov.xmp"])
        #expect(try types(results[0].assetIdentifier) == [.photo, .pairedVideo])
        #expect(
            lines(try await importing()) == [
                "duplicate a.jpg", "duplicate b.mov", "skipped b.mov.xmp",
            ])
        await studio.host.shutDown()
    }

    @Test("the sidecar follows its video if the picture or the video is damaged")
    func damaged() async throws {
        try studio.folder.write(Data("no picture".utf8), to: "in/a.jpg")
        try video("a.mov")
        try sidecar("a.mov.xmp")
        let first = ["rejected a.jpg", "imported a.mov", "imported a.mov.xmp"]
        #expect(lines(try await previewing()) == first)
        #expect(lines(try await importing()) == first)
        try FileManager.default.removeItem(atPath: path("in"))
        try FileManager.default.createDirectory(
            atPath: path("in"), withIntermediateDirectories: true)
        try picture("b.jpg")
        try studio.folder.write(Data("no video".utf8), to: "in/b.mov")
        try sidecar("b.mov.xmp")
        let second = ["imported b.jpg", "rejected b.mov", "skipped b.mov.xmp"]
        #expect(lines(try await previewing()) == second)
        let results = try await importing()
        #expect(lines(results) == second)
        #expect(try types(results[0].assetIdentifier) == [.photo])
        await studio.host.shutDown()
    }
}
