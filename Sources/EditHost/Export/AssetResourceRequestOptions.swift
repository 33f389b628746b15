// SPDX-License-Identifier: Apache-2.0

/// The permissions and the progress handler of a resource request.
public struct AssetResourceRequestOptions: Sendable {
    /// True if the request may download bytes that are not on this machine.
    ///
    /// Downloads are not implemented, so this option has no effect. A resource that is not in the library, not
    /// in a referenced file and cannot be rendered is an error.
    public var isNetworkAccessAllowed = false
    /// Called with the progress of the request, even for local bytes. The time to render a resource that is not
    /// stored is not counted.
    public var progressHandler: AssetResourceProgressHandler?

    /// Creates options without network access and without a progress handler.
    public init() {}
}
