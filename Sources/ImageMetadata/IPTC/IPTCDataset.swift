// SPDX-License-Identifier: Apache-2.0

/// The numbers of records and datasets of IPTC-IIM 4.2.
enum IPTCDataset {
    /// The record that describes the block.
    static let envelope: UInt8 = 1
    /// The record that describes the picture.
    static let application: UInt8 = 2

    // MARK: - The envelope record

    static let codedCharacterSet: UInt8 = 90

    // MARK: - The application record

    static let recordVersion: UInt8 = 0
    static let objectName: UInt8 = 5
    static let keywords: UInt8 = 25
    static let dateCreated: UInt8 = 55
    static let timeCreated: UInt8 = 60
    static let digitalCreationDate: UInt8 = 62
    static let digitalCreationTime: UInt8 = 63
    static let byline: UInt8 = 80
    static let credit: UInt8 = 110
    static let copyrightNotice: UInt8 = 116
    static let caption: UInt8 = 120
    static let rasterizedCaption: UInt8 = 125
    static let previewFormat: UInt8 = 200
    static let previewVersion: UInt8 = 201
    static let previewData: UInt8 = 202
}
