// SPDX-License-Identifier: Apache-2.0

extension AssetCreationRequest {
    /// The rating: 0 to 5 stars, or -1 for a rejected picture. Set by the facts of the first
    /// resource.
    public var rating: Int? {
        get { state.withLock { $0.texts.rating } }
        set { set(.rating) { $0.texts.rating = newValue } }
    }
}
