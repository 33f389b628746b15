// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension CollectionList {
    /// The displayed title; nil if the folder was deleted before it was read.
    public var localizedTitle: String? { isRemoved || title.isEmpty ? nil : title }
}
