// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Hummingbird
import Library

/// A request for a picture of an asset: its version, its size and its region.
struct PictureRequest: Hashable, Sendable {
    /// The version of the asset.
    enum Version: Hashable, Sendable {
        case current
        case original
        case state(Int)
        case named(String)

        /// A text that is unique to the version.
        fileprivate var text: String {
            switch self {
            case .current: "current"
            case .original: "original"
            case .state(let position): "state \(position)"
            case .named(let name): "version \(name)"
            }
        }
    }

    let asset: String
    let key: ContentKey
    let version: Version
    /// The side of the box in pixels; nil for the size of the version.
    let side: Int?
    /// Whether the picture covers the box instead of fitting into it.
    let covers: Bool
    /// The rendered part, from 0 to 1 from the top left corner; nil for all of it.
    let region: NormalizedRect?

    /// Reads a request from the parameters of its path and query.
    ///
    /// - Throws: `StudioError` with `invalidRequest`, or `staleKey` if the key is malformed.
    init(
        _ version: Version, _ context: StudioContext, _ query: Query, _ limits: StudioLimits
    ) throws {
        asset = try context.parameters.require("id")
        guard let key = ContentKey(try context.parameters.require("key")) else {
            throw StudioError(.staleKey, "this is not a content key")
        }
        self.key = key
        self.version = version
        side = try query.integer("size", in: 1...limits.pictureSide)
        covers = try query.choice("fit", of: ["max": false, "cover": true]) ?? false
        region = try query.numbers("region", count: 4).map {
            NormalizedRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3])
        }
    }

    /// The strong entity tag: the picture depends on nothing else.
    var tag: String {
        let part = region.map { "\($0.x),\($0.y),\($0.width),\($0.height)" } ?? ""
        let text = "\(asset) \(key) \(side ?? 0) \(covers) \(part) \(version.text)"
        return "\"" + SecretToken.digest(of: text).prefix(32) + "\""
    }

    /// The options for the image manager.
    var options: ImageRequestOptions {
        var options = ImageRequestOptions()
        switch version {
        case .current: options.version = .current
        case .original: options.version = .unadjusted
        case .state(let position): options.state = .state(position)
        case .named(let name): options.state = .version(name)
        }
        options.deliveryMode = .highQualityFormat
        options.resizeMode = side == nil ? .none : .exact
        if let region {
            options.normalizedCropRect = region
            options.resizeMode = .exact
        }
        return options
    }

    /// The box of the picture.
    var targetSize: PixelSize {
        side.map { PixelSize(width: $0, height: $0) } ?? ImageManager.maximumSize
    }
}
