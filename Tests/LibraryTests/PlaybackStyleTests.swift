// SPDX-License-Identifier: Apache-2.0

import EditingModel
import TestSupport
import Testing

@testable import Library

/// The facts that an editing input has before any file is available.
@Suite("playback styles")
struct PlaybackStyleTests {
    private func input(
        _ library: PhotoLibrary, _ type: MediaType, _ subtypes: MediaSubtype, isLive: Bool = false
    ) throws -> ContentEditingInput {
        let blob = try library.stage("\(type) \(subtypes) \(isLive)")
        let video = try library.stage("video")
        var facts = PhotoFacts.sample()
        facts.mediaSubtypes = subtypes
        var request: AssetCreationRequest?
        try library.performChanges {
            let new = try AssetCreationRequest(mediaType: type)
            try new.addResource(.photo, blob: blob, filename: "1", facts: facts)
            if isLive { try new.addResource(.pairedVideo, blob: video, filename: "1.mov") }
            request = new
        }
        return try library.contentEditingInput(
            forAsset: #require(request).placeholderForCreatedAsset.localIdentifier,
            placement: .appending)
    }

    /// Whether the grid's flags mark an asset as a Live Photo.
    private func isMarkedLive(_ asset: Asset, in library: PhotoLibrary) throws -> Bool {
        let assets = try Asset.fetchAssets(in: library)
        let place = try #require(try assets.index(ofIdentifier: asset.localIdentifier))
        return try assets.shapes().flags[place].contains(.live)
    }

    @Test("K-04 an input has the playback style of its asset, for every kind")
    func styles() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let expected: [(MediaType, MediaSubtype, Bool, Asset.PlaybackStyle)] = [
            (.image, [], false, .image), (.image, .animated, false, .imageAnimated),
            (.image, [], true, .livePhoto), (.video, [], false, .video),
            (.audio, [], false, .unsupported), (.unknown, [], false, .unsupported),
        ]
        for (type, subtypes, isLive, style) in expected {
            let input = try input(library, type, subtypes, isLive: isLive)
            #expect(input.playbackStyle == style, "\(type)")
            #expect(input.mediaType == type && input.contentType == .jpeg)
            #expect(input.uniformTypeIdentifier == "public.jpeg")
            #expect(input.mediaSubtypes.contains(.photoLive) == isLive)
            #expect(input.fullSizeImageURL == nil && input.displaySizeImage == nil)
            #expect(input.adjustmentData == nil && input.fullSizeImageOrientation == 1)
            guard type == .image else { continue }
            // An edited asset is a still picture until it is reverted.
            let edited = try library.edit(input.asset.id, recipe: "one", render: "one")
            #expect(edited.playbackStyle == .image)
            #expect(try isMarkedLive(edited, in: library) == false)
            try library.performChanges {
                try AssetChangeRequest(for: edited).revertAssetContentToOriginal()
            }
            #expect(
                try library.asset(withLocalIdentifier: edited.id).playbackStyle == style)
            #expect(try isMarkedLive(edited, in: library) == isLive)
        }
        #expect(Asset.PlaybackStyle.allCases.map(\.rawValue) == Array(0...5))
    }
}
