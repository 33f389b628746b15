// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// The capabilities of extensions that this host supports.
enum ExtensionCapability: CaseIterable {
    case photoEditing
    /// Runs an event loop. Requires another capability.
    case events
    case frameProcessor
    /// Generates video frames.
    case videoEditing
    /// Trims videos. Requires another capability.
    case timeRange
    /// Distinguishes the video of a Live Photo from its still. Requires another capability.
    case livePhotoEditing

    /// The id in the C contract.
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
