// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A use of a file as a rendition.
package struct RenditionUse: Hashable, Sendable {
    /// The identifier of the asset.
    package let assetIdentifier: String
    /// The identifier of the edit that the rendition is the result of.
    package let editIdentifier: String
    /// The kind of rendition.
    package let kind: Rendition.Kind
    /// The part of the asset that was rendered.
    package let part: Rendition.Part
}
