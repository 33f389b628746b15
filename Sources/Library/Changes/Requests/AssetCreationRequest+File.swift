// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

extension AssetCreationRequest {
    /// Creates a request for a new photo from a file. The file is copied immediately, and
    /// decoded by the host after the block has ended, before anything is changed. Metadata in the
    /// file (date, location, keywords, title, description, label, rating, burst) is used unless the
    /// block sets it.
    ///
    /// The library must have a host: `ExtensionHost.attach(to:)`.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`, `cannotRead`, `cannotWrite`;
    ///   `invalidRequest` if the URL is not a file URL, or the file is not a picture.
    ///   `performChanges` throws the host's decoding errors.
    public static func creationRequestForAssetFromImage(
        atFileURL url: URL
    ) throws -> AssetCreationRequest {
        try creationRequest(of: .photo, .image, atFileURL: url)
    }

    /// Creates a request for a new video from a file; works like
    /// ``creationRequestForAssetFromImage(atFileURL:)``. The host must have a media runner.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`, `cannotRead`, `cannotWrite`;
    ///   `invalidRequest` if the URL is not a file URL, or the file is not a video.
    ///   `performChanges` throws the host's decoding errors.
    public static func creationRequestForAssetFromVideo(
        atFileURL url: URL
    ) throws -> AssetCreationRequest {
        try creationRequest(of: .video, .video, atFileURL: url)
    }

    private static func creationRequest(
        of type: AssetResourceType, _ mediaType: MediaType, atFileURL url: URL
    ) throws -> AssetCreationRequest {
        let block = try ChangeBlock.current()
        // Staged first, so that an unreadable file leaves no request behind.
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

    /// Whether the host has to decode the original.
    var lacksFacts: Bool {
        state.withLock { $0.isToBeDecoded && $0.resources.first?.facts == nil }
    }

    /// Whether the host should decode the video of a Live Photo. Without a host, it is stored but
    /// cannot be edited.
    var lacksMotionFacts: Bool { state.withLock { $0.motionWithoutFacts != nil } }

    /// Decodes the video of a Live Photo, and stores its facts in the request.
    func findMotionFacts(with verifier: any ContentVerifier) async throws {
        guard let place = state.withLock({ $0.motionWithoutFacts }) else { return }
        var motion = state.withLock { $0.resources[place] }
        guard let blob = motion.blob else { return }
        motion.facts = try await verifier.photoFacts(of: blob, named: motion.filename)
        try motion.requireConsistency(asset: placeholderForCreatedAsset.localIdentifier)
        let found = motion
        state.withLock { $0.resources[place] = found }
    }

    /// The filename of the original.
    var filename: String { state.withLock { $0.resources.first?.filename } ?? "" }

    /// Decodes the original, and stores its facts in the request.
    func findFacts(with verifier: any ContentVerifier) async throws {
        guard var original = state.withLock({ $0.resources.first }), let blob = original.blob else {
            return
        }
        original.facts = try await verifier.photoFacts(of: blob, named: original.filename)
        try original.requireConsistency(asset: placeholderForCreatedAsset.localIdentifier)
        let found = original
        state.withLock { state in
            state.resources[0] = found
            state.takeOver(found.facts)
        }
    }
}

extension AssetCreationRequest.State {
    /// The index of a paired video whose bytes are stored but have no facts.
    fileprivate var motionWithoutFacts: Int? {
        resources.indices.dropFirst().first {
            resources[$0].type == .pairedVideo && resources[$0].facts == nil
                && resources[$0].blob != nil
        }
    }
}
