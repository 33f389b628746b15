// SPDX-License-Identifier: Apache-2.0

/// The media that the host attaches to the input of an application's own edit, in addition to its picture.
struct InputMedia: Sendable {
    /// The renderer of the state that the edit starts from.
    let renderer: Renderer
    /// The video to edit, if the asset is a video.
    var video: AssetVideo?
    /// The Live Photo to edit, if the asset is one. Its still has display size.
    var livePhoto: LivePhoto?
}
