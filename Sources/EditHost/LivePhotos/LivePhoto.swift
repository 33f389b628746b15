// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// A still picture with what moved and sounded around it, ready to be shown: neither an asset of a library nor its files.
///
/// Copies share pixels and file. It can be used from any thread.
public struct LivePhoto: Sendable {
    /// The still, upright, as large as it was asked for.
    public let image: AssetImage
    /// The motion with its sound, whose decoding is left to whoever plays it; nil in a temporary result.
    public let video: AssetVideo?

    /// The files of a library that it is made of; see `AssetResource.assetResources(for:)`.
    var resources: [AssetResource] = []

    /// The size of the still, in pixels.
    public var size: PixelSize { image.size }
    /// How long the motion is, in seconds; 0 in a temporary result.
    public var duration: Double { video?.duration ?? 0 }

    init(_ image: AssetImage, _ video: AssetVideo?, resources: [AssetResource] = []) {
        self.image = image
        self.video = video
        self.resources = resources
    }
}

extension AssetResource {
    /// Lists the files that a Live Photo is made of, its still and its video: the originals or, of an edited version, what is
    /// stored of that. None of one that was loaded from files, or of a temporary result.
    public static func assetResources(for livePhoto: LivePhoto) -> [AssetResource] {
        livePhoto.resources
    }

    /// Those of an asset in a version.
    static func ofLivePhoto(
        _ asset: Asset, isEdited: Bool, in library: PhotoLibrary
    ) throws -> [AssetResource] {
        let types: [AssetResourceType] =
            isEdited ? [.fullSizePhoto, .fullSizePairedVideo] : [.photo, .pairedVideo]
        return try assetResources(for: asset, in: library).filter { types.contains($0.type) }
    }
}

/// Gets a Live Photo, or what the info says of why there is none.
public typealias LivePhotoResultHandler = @Sendable (LivePhoto?, ImageRequestInfo) -> Void

/// The number of a request for a Live Photo; never given twice by one process.
public typealias LivePhotoRequestID = ImageRequestID

/// How a Live Photo of a library is asked for. The defaults are PhotoKit's.
public struct LivePhotoRequestOptions: Sendable {
    /// Which version of the asset.
    public var version = ImageRequestOptionsVersion.current
    /// Whether a still may come before the Live Photo, marked as degraded.
    public var deliveryMode = ImageRequestOptionsDeliveryMode.opportunistic
    /// Whether originals that are away may be fetched over a network. This version fetches none.
    public var isNetworkAccessAllowed = false
    /// Told how far a download is. Not called for what is on this computer.
    public var progressHandler: AssetImageProgressHandler?

    /// Makes the options that hold where none are given.
    public init() {}
}
