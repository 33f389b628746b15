// SPDX-License-Identifier: Apache-2.0

/// The metadata of a photo that can be set in its file, in a sidecar and in the library.
package struct DescriptiveMetadata: Hashable, Sendable {
    /// The capture date.
    package var captureDate: CaptureDate?
    /// The location.
    package var location: Location?
    /// The title.
    package var title: String?
    /// The description.
    package var descriptionText: String?
    /// The creators, separated by semicolons.
    package var creator: String?
    /// The copyright notice.
    package var copyright: String?
    /// The label.
    package var label: String?
    /// The rating, -1...5.
    package var rating: Int?
    /// The keywords without duplicates.
    package var keywords: [String]

    /// Creates metadata from its values.
    package init(
        captureDate: CaptureDate? = nil, location: Location? = nil, title: String? = nil,
        descriptionText: String? = nil, creator: String? = nil, copyright: String? = nil,
        label: String? = nil, rating: Int? = nil, keywords: [String] = []
    ) {
        self.captureDate = captureDate
        self.location = location
        self.title = title
        self.descriptionText = descriptionText
        self.creator = creator
        self.copyright = copyright
        self.label = label
        self.rating = rating
        self.keywords = keywords
    }

    /// Creates the metadata in the facts of a file or a sidecar.
    package init(_ metadata: PhotoMetadata?, _ date: CaptureDate?, _ location: Location?) {
        self.init(
            captureDate: date, location: location, title: metadata?.title,
            descriptionText: metadata?.descriptionText, creator: metadata?.creator,
            copyright: metadata?.copyright, label: metadata?.label, rating: metadata?.rating,
            keywords: metadata?.keywords ?? [])
    }

    /// Returns the metadata with missing values taken from `other`. Keywords are taken only if there are none.
    package func filled(from other: DescriptiveMetadata) -> DescriptiveMetadata {
        DescriptiveMetadata(
            captureDate: captureDate ?? other.captureDate, location: location ?? other.location,
            title: title ?? other.title, descriptionText: descriptionText ?? other.descriptionText,
            creator: creator ?? other.creator, copyright: copyright ?? other.copyright,
            label: label ?? other.label, rating: rating ?? other.rating,
            keywords: keywords.isEmpty ? other.keywords : keywords)
    }
}
