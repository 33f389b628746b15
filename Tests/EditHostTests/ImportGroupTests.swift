// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

@testable import EditHost

/// The grouping of files into assets.
@Suite("grouped files")
struct ImportGroupTests {
    private func groups(_ names: String...) -> [[String]] {
        ImportGroup.groups(of: names.map { "/a/" + $0 }).map { group in
            ([group.primary] + group.companions).map { String($0.dropFirst(3)) }
        }
    }

    @Test("K-16 a RAW is paired with the JPEG or HEIC of its name in its folder")
    func raw() {
        #expect(groups("1.DNG", "1.JPG") == [["1.JPG", "1.DNG"]])
        #expect(groups("1.heic", "1.cr3", "2.jpg") == [["1.heic", "1.cr3"], ["2.jpg"]])
        #expect(groups("1.HEIC", "1.NEF", "1.jpeg") == [["1.HEIC"], ["1.jpeg", "1.NEF"]])
        // A JPEG next to a HEIC is usually a copy of it, so the motion belongs to the HEIC.
        #expect(groups("1.HEIC", "1.MOV", "1.jpg") == [["1.HEIC", "1.MOV"], ["1.jpg"]])
        #expect(groups("1.DNG", "2.JPG") == [["1.DNG"], ["2.JPG"]])
        #expect(groups("1.DNG", "b/1.JPG") == [["1.DNG"], ["b/1.JPG"]])
        #expect(groups("1.DNG", "1.png", "1.mov") == [["1.DNG"], ["1.png"], ["1.mov"]])
        for ending in ["dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2", "pef"] {
            #expect(groups("1.\(ending)", "1.jpg") == [["1.jpg", "1.\(ending)"]])
        }
    }

    @Test("names that differ in Unicode normalisation belong to different pictures")
    func normalisation() {
        let names = [
            "\u{E9}.jpg", "e\u{301}.jpg", "\u{E9}.xmp", "e\u{301}.jpg.xmp", "\u{212B}.dng",
            "\u{C5}.jpg",
        ]
        let found = ImportGroup.groups(of: names.map { "/a/" + $0 }).map { group in
            ([group.primary] + group.companions).map { Array($0.utf8.dropFirst(3)) }
        }
        let expected = [[0, 2], [1, 3], [4], [5]].map { $0.map { Array(names[$0].utf8) } }
        #expect(found == expected)
    }

    @Test("a sidecar belongs to the file of its name, with or without the extension")
    func sidecars() {
        #expect(groups("1.AAE", "1.JPG", "1.xmp") == [["1.JPG", "1.AAE", "1.xmp"]])
        #expect(
            groups("1.JPG", "1.JPG.xmp", "1.RAF", "1.RAF.xmp")
                == [["1.JPG", "1.JPG.xmp", "1.RAF", "1.RAF.xmp"]])
        #expect(groups("1.png", "1.tif", "1.tif.XMP") == [["1.png"], ["1.tif", "1.tif.XMP"]])
        #expect(groups("1.png", "1.xmp") == [["1.png", "1.xmp"]])
        #expect(groups("1.DNG", "1.DNG.xmp", "1.xmp") == [["1.DNG"], ["1.DNG.xmp"], ["1.xmp"]])
        #expect(groups("1.xmp", "1.mov", "1.xmp.xmp") == [["1.mov", "1.xmp"], ["1.xmp.xmp"]])
        // A later step determines whether the video is the picture's motion.
        #expect(groups("1.aae", "1.mov", "1.jpg") == [["1.jpg", "1.aae", "1.mov"]])
        #expect(groups("1.jpg", "1.mov", "1.mov.xmp") == [["1.jpg", "1.mov", "1.mov.xmp"]])
        #expect(groups("1.mov", "1.mov.xmp", "1.png") == [["1.mov", "1.mov.xmp"], ["1.png"]])
        #expect(
            groups("1.avi", "1.jpg", "1.png", "2.mov") == [
                ["1.avi"], ["1.jpg"], ["1.png"], ["2.mov"],
            ])
    }
}

/// Photos of several files, from import to reading their bytes.
@Suite("photos of several files")
struct SeveralFilesTests {
    private let studio: TestStudio
    private let picture = TestPicture.gradient()
    private let raw = Data("FUJIFILMCCD-RAW is how these begin".utf8)

    init() throws { studio = try TestStudio() }

    private func write(_ files: [String: Data]) throws -> String {
        let folder = studio.folder.file("card")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for (name, data) in files { try studio.folder.write(data, to: "card/" + name) }
        return folder
    }

    /// Imports a folder and returns the results by file name.
    private func importing(
        _ folder: String, by method: ImportMethod = .copy
    ) async throws -> [String: ImportResult] {
        var results: [String: ImportResult] = [:]
        try await studio.host.importPhotos(at: [folder], into: studio.library, by: method) {
            results[($0.path as NSString).lastPathComponent] = $0
        }
        return results
    }

    private func bytes(_ resource: AssetResource) async throws -> Data {
        var bytes = Data()
        try await AssetResourceManager(host: studio.host, library: studio.library)
            .requestData(for: resource) { bytes += $0 }
        return bytes
    }

    private func resources(_ identifier: String?) throws -> [AssetResource] {
        let asset = try studio.library.asset(withLocalIdentifier: #require(identifier))
        return try AssetResource.assetResources(for: asset, in: studio.library)
    }

    private func delete(_ asset: Asset) throws {
        try studio.library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
    }

    /// Makes an asset of a still and a video.
    private func make(_ files: [String], _ facts: PhotoFacts) throws -> String? {
        var request: AssetCreationRequest?
        try studio.library.performChanges {
            let new = try AssetCreationRequest(mediaType: .image)
            try new.addResource(.photo, path: files[0], facts: facts)
            try new.addResource(.pairedVideo, path: files[1])
            request = new
        }
        return request?.placeholderForCreatedAsset.localIdentifier
    }

    @Test("K-16 RAW, JPEG and sidecars are one asset, byte for byte; new files are added later")
    func pair() async throws {
        let jpeg = try picture.encoded("jpeg")
        let aae = Data("<plist/>".utf8)
        let folder = try write(["1.JPG": jpeg, "1.RAF": raw, "1.xmp": Data("<x/>".utf8)])
        let first = try await importing(folder)
        #expect(Set(first.values.map(\.status)) == [.imported])
        let id = first["1.JPG"]?.assetIdentifier
        #expect(first.values.allSatisfy { $0.assetIdentifier == id })
        #expect(first["1.RAF"]?.resourceType == .alternatePhoto)
        #expect(try Asset.fetchAssets(in: studio.library).count == 1)
        _ = try write(["1.AAE": aae])
        let second = try await importing(folder)
        #expect(second["1.AAE"]?.status == .imported && second["1.AAE"]?.assetIdentifier == id)
        for name in ["1.JPG", "1.RAF", "1.xmp"] {
            #expect(second[name]?.status == .duplicate && second[name]?.assetIdentifier == id)
        }
        let found = try resources(id)
        #expect(
            found.map(\.type) == [.photo, .alternatePhoto, .metadataSidecar, .adjustmentData])
        var contents: [Data] = []
        for resource in found { contents.append(try await bytes(resource)) }
        #expect(contents == [jpeg, raw, Data("<x/>".utf8), aae])
        await studio.host.shutDown()
    }

    @Test(
        "K-16 a camera DNG and an Apple AAE join the JPEG of their name",
        .corpus)
    func realFiles() async throws {
        let corpus = try #require(BuildProducts.corpus)
        let sources = [
            "1.JPG": "live/IMG_0728.JPG", "1.DNG": "photos/raw/IMG_1361.dng",
            "1.AAE": "sidecars/IMG_1853.AAE",
        ].mapValues { URL(fileURLWithPath: "\(corpus)/\($0)") }
        var files = try sources.mapValues { try Data(contentsOf: $0) }
        files["1.xmp"] = "<x:xmpmeta/>".data(using: .utf16)
        let results = try await importing(try write(files))
        #expect(results.count == 4 && results.values.allSatisfy { $0.status == .imported })
        let found = try resources(results["1.JPG"]?.assetIdentifier)
        #expect(
            found.map(\.uniformTypeIdentifier) == [
                "public.jpeg", "com.apple.property-list", "com.adobe.raw-image", "public.xml",
            ])
        for resource in found {
            #expect(try await bytes(resource) == files[resource.originalFilename])
        }
        await studio.host.shutDown()
    }

    @Test("a mislabelled or unmatched file is reported on its own")
    func odd() async throws {
        let folder = try write([
            "1.jpg": Data("no picture".utf8), "1.dng": raw, "1.xmp": Data("<x/>".utf8),
            "2.jpg": try picture.encoded(), "2.nef": try TestPicture.gradient(seed: 1).encoded(),
            "3.jpg": try TestPicture.gradient(seed: 2).encoded(), "3.aae": Data(),
            "4.jpg": try TestPicture.gradient(seed: 3).encoded("jpeg").prefix(300), "4.RAF": raw,
        ])
        let results = try await importing(folder)
        let statuses = results.mapValues(\.status)
        #expect(
            statuses == [
                "1.jpg": .rejected, "1.dng": .rejected, "1.xmp": .skipped, "2.jpg": .imported,
                "2.nef": .imported, "3.jpg": .imported, "3.aae": .rejected, "4.jpg": .rejected,
                "4.RAF": .rejected,
            ])
        #expect(results["2.nef"]?.assetIdentifier != results["2.jpg"]?.assetIdentifier)
        let reason = (results["4.RAF"]?.error as? HostError)?.message
        #expect(reason?.contains("RAW") == true)
        #expect(try Asset.fetchAssets(in: studio.library).count == 3)
        await studio.host.shutDown()
    }

    @Test("a RAW file is never imported as its preview, and belongs to the JPEG of its name")
    func previews() async throws {
        // TIFF readers open these, because nothing in them is specific to a maker.
        let preview = try TestPicture.gradient(seed: 4).encoded("tiff")
        var phaseOne = Data("II*\0".utf8) + [16, 0, 0, 0] + Data("IIIITwaR".utf8)
        phaseOne += [UInt8](repeating: 0, count: 100)
        let folder = try write([
            "1.KDC": preview, "2.tif": preview, "3.jpg": try picture.encoded("jpeg"),
            "3.3FR": preview, "4.tif": phaseOne,
            "5.jpg": try TestPicture.gradient(seed: 5).encoded("jpeg"),
            "5.IIQ": phaseOne,
        ])
        let results = try await importing(folder)
        #expect(
            results.mapValues(\.status) == [
                "1.KDC": .rejected, "2.tif": .imported, "3.jpg": .imported, "3.3FR": .imported,
                "4.tif": .rejected, "5.jpg": .imported, "5.IIQ": .imported,
            ])
        for (raw, jpeg) in [("3.3FR", "3.jpg"), ("5.IIQ", "5.jpg")] {
            #expect(results[raw]?.assetIdentifier == results[jpeg]?.assetIdentifier)
            #expect(results[raw]?.resourceType == .alternatePhoto)
        }
        #expect(
            (results["1.KDC"]?.error as? HostError)?.message
                == "RAW files are imported only together with a JPEG or HEIC of the same name")
        await studio.host.shutDown()
    }

    @Test("a moved pair is removed from its folder; the sidecar of a referenced one is copied")
    func methods() async throws {
        let files = [
            "1.JPG": try picture.encoded("jpeg"), "1.RAF": raw, "1.xmp": Data("<x/>".utf8),
        ]
        let folder = try write(files)
        let referenced = try await importing(folder, by: .reference)
        let found = try resources(referenced["1.JPG"]?.assetIdentifier)
        #expect(found.map { $0.url != nil } == [true, true, false])
        #expect(try await bytes(found[1]) == raw)
        try FileManager.default.removeItem(atPath: folder + "/1.RAF")
        await #expect { _ = try await bytes(found[1]) } throws: {
            ($0 as? LibraryError)?.code == .originalMissing
        }
        #expect(try studio.library.check().findings.map(\.kind) == [.referencedFileAway])
        let asset = try studio.library.asset(withLocalIdentifier: found[0].assetLocalIdentifier)
        try delete(asset)
        _ = try write(files)
        let moved = try await importing(folder, by: .move)
        #expect(moved.values.allSatisfy { $0.status == .imported && $0.warnings == [] })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        await studio.host.shutDown()
    }

    @Test("K-11 K-15 previous, current and recipe are resources, pruned or not")
    func versions() async throws {
        let id = try await studio.add(picture)
        try await studio.edit(id, "adder", ["amount": "30"])
        try await studio.edit(id, "adder", ["amount": "40"])
        let recipe = try #require(try studio.recipe(id))
        for isPruned in [false, true] {
            let found = try resources(id)
            #expect(
                found.map(\.type) == [
                    .photo, .adjustmentBasePhoto, .fullSizePhoto, .adjustmentData,
                ])
            #expect(try TestPicture(decoding: await bytes(found[1])) == picture)
            #expect(try TestPicture(decoding: await bytes(found[2])) == picture.adding(40))
            #expect(try await bytes(found[3]) == Data(recipe.utf8))
            if !isPruned { _ = try studio.library.prune() }
        }
        // A lost rendition is re-rendered.
        let current = try resources(id)[2]
        try FileManager.default.removeItem(atPath: studio.blobPath(try #require(current.blob)))
        #expect(try TestPicture(decoding: await bytes(current)) == picture.adding(40))
        await studio.host.shutDown()
    }

    @Test("K-15 a file is written completely, once or not at all; a cancelled request ends")
    func writing() async throws {
        let id = try await studio.add(picture)
        let original = try resources(id)[0]
        let manager = AssetResourceManager(host: studio.host, library: studio.library)
        let path = studio.folder.file("written")
        try await manager.writeData(for: original, toFile: path)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: path)) == studio.currentBytes(id))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: HostError.self) {
            try await manager.writeData(for: original, toFile: path)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
        let other = studio.folder.file("cancelled")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await manager.writeData(for: original, toFile: other)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let left = try FileManager.default.contentsOfDirectory(atPath: studio.folder.path)
        #expect(!left.contains { $0 == "cancelled" || $0.hasPrefix(".edithost") })
        await studio.host.shutDown()
    }

    @Test(
        "K-16 a Live Photo of still and video exports both files unchanged",
        .corpus)
    func livePhoto() async throws {
        let corpus = try #require(BuildProducts.corpus)
        let files = ["IMG_0728.JPG", "jpegvideocomplement_1.mov"].map { "\(corpus)/live/\($0)" }
        let id = try make(files, try await studio.host.photoFacts(ofFileAt: files[0]))
        let found = try resources(id)
        #expect(found.map(\.type) == [.photo, .pairedVideo])
        #expect(
            found.map(\.uniformTypeIdentifier) == ["public.jpeg", "com.apple.quicktime-movie"])
        #expect(found[1].originalFilename == "jpegvideocomplement_1.mov")
        let asset = try studio.library.asset(withLocalIdentifier: #require(id))
        #expect(asset.mediaSubtypes.contains(.photoLive))
        let manager = AssetResourceManager(host: studio.host, library: studio.library)
        for (resource, file) in zip(found, files) {
            let path = studio.folder.file(resource.originalFilename)
            try await manager.writeData(for: resource, toFile: path)
            #expect(FileManager.default.contentsEqual(atPath: path, andPath: file))
        }
        await studio.host.shutDown()
    }
}
