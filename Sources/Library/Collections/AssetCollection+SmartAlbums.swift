// SPDX-License-Identifier: Apache-2.0

extension AssetCollection {
    /// All smart albums as collections.
    static let smartAlbums = SmartAlbum.all.map(AssetCollection.init)

    private init(_ album: SmartAlbum) {
        localIdentifier =
            "smart-album/"
            + album.title.lowercased().split(separator: " ")
            .joined(separator: "-")
        title = album.title
        type = .smartAlbum
        subtype = album.subtype
        estimatedAssetCount = nil
        (startDate, endDate, approximateLocation) = (nil, nil, nil)
        (parentLocalIdentifier, keyAssetLocalIdentifier) = (nil, nil)
        isRemoved = false
        members = .smart
    }

    /// The names of all smart albums.
    package static var smartAlbumNames: [String] { smartAlbums.compactMap(\.smartAlbumName) }

    /// The last component of a smart album's identifier; nil for other collections.
    package var smartAlbumName: String? {
        type == .smartAlbum ? localIdentifier.split(separator: "/").last.map(String.init) : nil
    }
}
