// SPDX-License-Identifier: Apache-2.0

extension AssetChangeRequest {
    /// The rating: 0 to 5 stars, or -1 for a rejected picture; nil if there is none.
    ///
    /// `performChanges` throws `invalidRequest` for other numbers.
    public var rating: Int? {
        get { state.withLock { $0.texts.rating } ?? original?.rating }
        set { set { $0.texts.rating = .some(newValue) } }
    }
}
