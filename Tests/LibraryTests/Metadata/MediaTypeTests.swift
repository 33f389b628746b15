// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import Library

/// The media type of an asset, determined by its bytes or, if they are unrecognised, by the caller.
@Suite("media types")
struct MediaTypeTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
    }

    /// The first bytes of files, each with a misleading name.
    private static let files: [(bytes: [UInt8], name: String, is: MediaType)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], "1.mp4", .image),
        ([0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 0, 0], "1.jpg", .video),
        ([0x1A, 0x45, 0xDF, 0xA3], "1.heic", .video),
        (Array("fLaC".utf8), "1.mov", .audio),
        (Array("%PDF-1.7".utf8), "1.png", .unknown),
    ]

    private func type(_ media: MediaType) -> AssetResourceType {
        media == .video ? .video : media == .audio ? .audio : .photo
    }

    /// Makes an asset and returns its media type.
    private func make(
        _ bytes: [UInt8], _ name: String, _ said: MediaType?, _ type: AssetResourceType,
        _ facts: PhotoFacts? = nil, isReferenced: Bool = false
    ) throws -> MediaType {
        let path = temporary.folder + "/" + UUID().uuidString
        try Data(bytes + Array(UUID().uuidString.utf8)).write(to: URL(fileURLWithPath: path))
        let reference =
            try isReferenced
            ? SourceFile(path: path).reference(library.stage(path: path)) : nil
        var request: AssetCreationRequest?
        try library.performChanges {
            let new = try AssetCreationRequest(mediaType: said)
            if let reference {
                try new.addResource(type, reference: reference, filename: name, facts: facts)
            } else {
                try new.addResource(type, path: path, filename: name, facts: facts)
            }
            request = new
        }
        let made = try #require(request)
        let asset = try library.asset(
            withLocalIdentifier: made.placeholderForCreatedAsset.localIdentifier)
        #expect(made.mediaType == asset.mediaType)
        return asset.mediaType
    }

    @Test("P-01 the bytes decide the type, not the name, copied or referenced")
    func bytes() throws {
        for (bytes, name, media) in Self.files where media != .unknown {
            for isReferenced in [false, true] {
                for said in [media, nil, .unknown] {
                    let found = try make(
                        bytes, name, said, type(media), isReferenced: isReferenced)
                    #expect(found == media, "\(name)")
                }
            }
        }
        #expect(try make(Array("%PDF-1.7".utf8), "1.png", nil, .metadataSidecar) == .unknown)
    }

    @Test("P-01 a declared type that contradicts the bytes is rejected, and nothing changes")
    func contradictions() throws {
        let token = try library.currentChangeToken
        for (bytes, name, media) in Self.files {
            for said in MediaType.allCases where said != media && said != .unknown {
                for isReferenced in [false, true] {
                    let error = try libraryError {
                        _ = try make(
                            bytes, name, said, type(media), isReferenced: isReferenced)
                    }
                    #expect(error.code == .invalidRequest && error.message.contains(name))
                    let other = try libraryError {
                        _ = try make(bytes, name, nil, type(said), isReferenced: isReferenced)
                    }
                    #expect(other.code == .invalidRequest, "\(name) \(said)")
                }
            }
        }
        // The facts belong to another file.
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(
            try libraryError { _ = try make(png, "1.png", .image, .photo, .sample()) }.code
                == .invalidRequest)
        #expect(try library.currentChangeToken == token)
    }

    @Test("a companion keeps its declared type, also if added later")
    func companions() throws {
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        let asset = try library.importAsset("still")
        let blob = try library.stage(bytes: picture)
        #expect(
            try libraryError {
                try library.performChanges {
                    try AssetChangeRequest(for: asset)
                        .addResource(.pairedVideo, blob: blob, filename: "1.mov")
                }
            }.code == .invalidRequest)
        #expect(
            try libraryError {
                try library.performChanges {
                    let request = try AssetCreationRequest()
                    try request.addResource(.photo, data: Data(picture), filename: "1.jpg")
                    try request.addResource(.pairedVideo, data: Data(picture), filename: "1.mov")
                }
            }.code == .invalidRequest)
        #expect(try Asset.fetchAssets(in: library).count == 1)
    }

    @Test("an unrecognised or missing file has the declared type")
    func word() throws {
        for said in MediaType.allCases {
            #expect(try make(Array("unknown to all".utf8), "1.jpg", said, .photo) == said)
            #expect(try make([0x1F, 0x8B, 8], "1.svgz", said, .photo) == said)
        }
        // The type of an unavailable file comes from its facts unless the caller declares it.
        for (said, found) in [(nil, .image), (.unknown, .unknown), (.video, .video)]
            as [(MediaType?, MediaType)]
        {
            try library.performChanges {
                let request = try AssetCreationRequest(mediaType: said)
                try request.addResource(
                    .photo, url: "https://example.org/\(found.name)", filename: "1",
                    facts: .sample())
                #expect(request.mediaType == found)
            }
        }
    }
}
