// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension DescriptiveMetadata {
    /// Creates the metadata of an asset.
    package init(_ asset: Asset, keywords: [String]) {
        self.init(
            captureDate: asset.captureDate, location: asset.location, title: asset.title,
            descriptionText: asset.descriptionText, creator: asset.creator,
            copyright: asset.copyright, label: asset.label, rating: asset.rating,
            keywords: keywords)
    }
}
