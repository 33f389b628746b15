// SPDX-License-Identifier: Apache-2.0

/// A base picture and the steps that make a state of an asset from it.
///
/// The base comes with the message as the descriptor of role `base`; where its metadata is to
/// survive an encoding, the original comes as `metadataSource`.
public struct RenderInput: Codable, Hashable, Sendable {
    /// What the base's bytes are.
    public enum Base: Codable, Hashable, Sendable {
        /// An encoded file of this format, told from its content.
        case encoded(MediaFormat)
        /// Pixels as they lie in memory.
        case raw(RawLayout)
    }

    /// What the base's bytes are.
    public var base: Base
    /// What is run over the base, in this order. Each extension has been loaded before.
    public var steps: [RenderStep]
    /// What the steps are told of the original; nil: it is read from `metadataSource`.
    public var originalFacts: PhotoFacts?
    /// The MIME type of the rendition that will be stored, as the steps were told when they were made;
    /// nil: that of the original.
    public var renderedContentType: String?

    /// Makes an input.
    public init(
        base: Base, steps: [RenderStep] = [], originalFacts: PhotoFacts? = nil,
        renderedContentType: String? = nil
    ) {
        self.base = base
        self.steps = steps
        self.originalFacts = originalFacts
        self.renderedContentType = renderedContentType
    }
}
