// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension PhotoCollection {
    /// The displayed title, or nil if there is none.
    public var localizedTitle: String? {
        switch self {
        case .assetCollection(let collection): collection.localizedTitle
        case .collectionList(let list): list.localizedTitle
        }
    }
}
