// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

extension AssetCreationRequest {
    /// Asks for a new photograph of a file, of which nothing else has to be known: it is copied at
    /// once, and decoded by the host when the block has ended, before anything is changed. What the
    /// file says of itself (date, position, keywords, texts, rating, burst) is taken over, but for what
    /// the block sets.
    ///
    /// The library must have a host: `ExtensionHost.attach(to:)`.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`, `cannotRead`, `cannotWrite`; `invalidRequest`
    ///   where the URL names no file, or the file is something else than a picture. `performChanges`
    ///   throws what the host finds wrong with it.
    public static func creationRequestForAssetFromImage(
        atFileURL url: URL
    ) throws -> AssetCreationRequest {
        try creationRequest(of: .photo, .image, atFileURL: url)
    }

    /// The same for a new video. The host must have a media runner.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`, `cannotRead`, `cannotWrite`; `invalidRequest`
    ///   where the URL names no file, or the file is something else than a video. `performChanges`
    ///   throws what the host finds wrong with it.
    public static func creationRequestForAssetFromVideo(
        atFileURL url: URL
    ) throws -> AssetCreationRequest {
        try creationRequest(of: .video, .video, atFileURL: url)
    }

    private static func creationRequest(
        of type: AssetResourceType, _ mediaType: MediaType, atFileURL url: URL
    ) throws -> AssetCreationRequest {
        let block = try ChangeBlock.current()
        // What cannot be read leaves no request behind.
        let (source, blob) = try block.stage(fileAt: url)
        let resource = try NewResource(
            type, blob: blob, filename: url.lastPathComponent, facts: nil)
        let known = try resource.mediaType(said: mediaType, asset: url.lastPathComponent)
        let request = try AssetCreationRequest(mediaType: known)
        request.fileDate = Date(microseconds: source.identity.microseconds)
        try request.add(resource)
        request.state.withLock { $0.isToBeDecoded = true }
        return request
    }

    /// Whether the host has to say what the original is.
    var lacksFacts: Bool {
        state.withLock { $0.isToBeDecoded && $0.resources.first?.facts == nil }
    }

    /// Whether a host would say what the video of a Live Photo is. Without one it is kept, and not edited.
    var lacksMotionFacts: Bool { state.withLock { $0.motionWithoutFacts != nil } }

    /// Has the video of a Live Photo decoded.
    func findMotionFacts(with verifier: any ContentVerifier) async throws {
        guard let place = state.withLock({ $0.motionWithoutFacts }) else { return }
        var motion = state.withLock { $0.resources[place] }
        guard let blob = motion.blob else { return }
        motion.facts = try await verifier.photoFacts(of: blob, named: motion.filename)
        try motion.requireTruth(asset: placeholderForCreatedAsset.localIdentifier)
        let found = motion
        state.withLock { $0.resources[place] = found }
    }

    /// The name of the original.
    var filename: String { state.withLock { $0.resources.first?.filename } ?? "" }

    /// Has the original decoded.
    func findFacts(with verifier: any ContentVerifier) async throws {
        guard var original = state.withLock({ $0.resources.first }), let blob = original.blob else {
            return
        }
        original.facts = try await verifier.photoFacts(of: blob, named: original.filename)
        try original.requireTruth(asset: placeholderForCreatedAsset.localIdentifier)
        let found = original
        state.withLock { state in
            state.resources[0] = found
            state.takeOver(found.facts)
        }
    }
}

extension AssetChangeRequest {
    /// Asks for a new photograph of a file, as
    /// ``AssetCreationRequest/creationRequestForAssetFromImage(atFileURL:)``.
    ///
    /// - Throws: as that.
    public static func creationRequestForAssetFromImage(
        atFileURL url: URL
    ) throws -> AssetCreationRequest {
        try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
    }

    /// Asks for a new video of a file, as
    /// ``AssetCreationRequest/creationRequestForAssetFromVideo(atFileURL:)``.
    ///
    /// - Throws: as that.
    public static func creationRequestForAssetFromVideo(
        atFileURL url: URL
    ) throws -> AssetCreationRequest {
        try AssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: url)
    }
}

extension AssetCreationRequest.State {
    /// The place of a stored video that goes with a picture and of which nothing is known.
    fileprivate var motionWithoutFacts: Int? {
        resources.indices.dropFirst().first {
            resources[$0].type == .pairedVideo && resources[$0].facts == nil
                && resources[$0].blob != nil
        }
    }
}
