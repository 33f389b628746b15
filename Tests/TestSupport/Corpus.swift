// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Real files from the folder in `EDITHOST_CORPUS`, with the facts in its manifests.
package enum Corpus {
    /// A row of a manifest: values by column name.
    package typealias Row = [String: String]

    /// The rows of both manifests with this value in the column `expect`.
    package static func rows(expecting expected: String) throws -> [Row] {
        try ["manifest.tsv", "cameras.tsv"].flatMap { try rows(of: $0) }
            .filter { $0["expect"] == expected }
    }

    /// The photos that can be imported.
    package static func photos() throws -> [Row] {
        try rows(expecting: "import").filter {
            $0["media_type"] == "image" && $0["format"] != "DNG"
                && $0["libvips_8_14_1"]?.hasPrefix("fails") != true
        }
    }

    private static func rows(of list: String) throws -> [Row] {
        let lines = try String(contentsOfFile: path(list), encoding: .utf8)
            .split(whereSeparator: \.isNewline).map {
                $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
        let heading = lines.first ?? []
        return lines.dropFirst()
            .map { Row(zip(heading, $0), uniquingKeysWith: { first, _ in first }) }
    }

    /// The path of a file, by the name in its row.
    package static func path(_ name: String) throws -> String {
        guard let folder = BuildProducts.corpus else { throw CocoaError(.fileNoSuchFile) }
        return "\(folder)/\(name)"
    }

    /// The creation date of a row in RFC 3339 format. The manifest has `2016:10:09 14:44:18.445`.
    package static func date(_ row: Row) -> String? {
        if let other = others[row["path"] ?? ""] { return other }
        guard let text = row["creation_date"], text.count > 10 else { return nil }
        return text.prefix(10).replacingOccurrences(of: ":", with: "-") + "T" + text.dropFirst(11)
    }

    /// The upright size of a row, or nil if it has none.
    package static func size(_ row: Row) -> String? {
        // Every version of libheif decodes one row less than this file's size property declares.
        if row["path"] == "cameras/IMG_7943.HEIC" { return "100x133" }
        guard let width = row["oriented_w"], let height = row["oriented_h"], !width.isEmpty else {
            return nil
        }
        return "\(width)x\(height)"
    }

    /// The expected dates of two files that have several. Photoshop's XMP date takes precedence
    /// over IPTC's and over the date of digitisation, which is the one in the manifest.
    private static let others = [
        "photos/gps/thompson-springs.jpg": "2022-01-10T15:15:44.31",
        "reference/chelsea.png": "2009-02-09T09:11:30",
    ]
}
