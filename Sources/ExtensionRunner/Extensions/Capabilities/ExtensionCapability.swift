// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// What an extension can offer, as far as this host knows it.
enum ExtensionCapability: CaseIterable {
    case photoEditing
    /// Serves an event loop; of no use alone.
    case events
    case frameProcessor
    /// Makes frames of videos.
    case videoEditing
    /// Shortens videos; of no use alone.
    case timeRange
    /// Tells the video of a Live Photo from its still; of no use alone.
    case livePhotoEditing

    /// Its id in the contract.
    var identifier: String {
        switch self {
        case .photoEditing: EE_CAPABILITY_PHOTO_EDITING
        case .events: EE_CAPABILITY_EVENTS
        case .videoEditing: EE_CAPABILITY_VIDEO_EDITING
        case .livePhotoEditing: EE_CAPABILITY_LIVE_PHOTO_EDITING
        case .frameProcessor: EE_CAPABILITY_FRAME_PROCESSOR
        case .timeRange: EE_CAPABILITY_TIME_RANGE
        }
    }
}
