// SPDX-License-Identifier: Apache-2.0

/// An item of a ``ContentChangeBatch``: a change of an asset's content, with the caller's values.
package protocol BatchedContentChange: Sendable {
    /// The change; nil for an item that changes nothing.
    var contentChange: AssetContentChange? { get }
}
