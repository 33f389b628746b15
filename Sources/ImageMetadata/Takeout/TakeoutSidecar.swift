// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// The JSON that Google Takeout writes beside each picture and video, and into the folder of each album.
///
/// Its format is not documented. The members that are read, and the meaning of their values, are those of files that
/// Takeout wrote from 2018 to 2025.
enum TakeoutSidecar {
    /// The maximum length that is read, in bytes. Takeout's files have a few kilobytes.
    static let maximumBytes = 1 << 20

    /// Whether a file is JSON rather than XML.
    static func isJSON(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let start = bytes.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
        return start == UInt8(ascii: "{")
    }

    /// Returns the facts in a file. Members of an unexpected type are ignored.
    static func facts(of bytes: UnsafeRawBufferPointer) -> SidecarFacts {
        guard bytes.count <= maximumBytes else {
            return SidecarFacts(problem: "it is larger than \(maximumBytes >> 20) MiB")
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)) else {
            return SidecarFacts(problem: "it is truncated, or not JSON")
        }
        var facts = SidecarFacts(
            creationDate: content.taken?.date.map { CaptureDate(date: $0, offset: 0) },
            location: content.place?.location ?? content.exifPlace?.location,
            metadata: PhotoMetadata(
                descriptionText: content.description.flatMap(MetadataText.lines)),
            changeDate: content.modified?.date)
        facts.isFavorite = content.isFavorite
        // That of a picture is its file name.
        if content.taken == nil { facts.albumTitle = content.title.flatMap(MetadataText.line) }
        return facts
    }

    /// The members that are read.
    private struct Content: Decodable {
        var title, description: String?
        var taken, modified: Time?
        var place, exifPlace: Place?
        var isFavorite: Bool?

        private enum CodingKeys: String, CodingKey {
            case title, description
            case taken = "photoTakenTime"
            case modified = "photoLastModifiedTime"
            case place = "geoData"
            case exifPlace = "geoDataExif"
            case isFavorite = "favorited"
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            title = try? members.decodeIfPresent(String.self, forKey: .title)
            description = try? members.decodeIfPresent(String.self, forKey: .description)
            taken = try? members.decodeIfPresent(Time.self, forKey: .taken)
            modified = try? members.decodeIfPresent(Time.self, forKey: .modified)
            place = try? members.decodeIfPresent(Place.self, forKey: .place)
            exifPlace = try? members.decodeIfPresent(Place.self, forKey: .exifPlace)
            if members.contains(.isFavorite) {
                isFavorite = try? members.decode(Bool.self, forKey: .isFavorite)
            } else if members.contains(.taken) {
                // Takeout omits the member if a picture is not a favourite.
                isFavorite = false
            }
        }
    }

    /// A time in seconds since 1970, as text: `{"timestamp": "1580000000"}`.
    private struct Time: Decodable {
        let timestamp: String

        /// The moment; nil for the beginnings of 1970 and 1904, which stand for no date, and for dates that cannot be
        /// written.
        var date: Date? {
            guard let seconds = Int64(timestamp), ![0, -2_082_844_800].contains(seconds),
                case let date = Date(timeIntervalSince1970: Double(seconds)),
                CaptureDate(date: date, offset: 0).isWritable
            else { return nil }
            return date
        }
    }

    /// A position in degrees, or zeros for none.
    private struct Place: Decodable {
        let latitude, longitude: Double

        var location: Location? { Location(latitude: latitude, longitude: longitude) }
    }
}
