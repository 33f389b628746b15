// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// A controller that treats the video of a Live Photo differently from its still. It also conforms to
/// ``FrameProcessingController`` or ``VideoEditingController``.
///
/// Controllers that conform only to one of those edit Live Photos as well, but cannot distinguish them from other
/// videos.
public protocol LivePhotoEditingController: ContentEditingController {
    /// Announces that the following frames belong to a Live Photo's video. Called after `startContentEditing` and
    /// before the first frame; not called for the still.
    func beginVideo(of livePhoto: EditedLivePhoto) throws
}
