// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Real files, and what their lists say of them. The folder is named by `EDITHOST_CORPUS`.
package enum Corpus {
    /// A row, by the names of its columns.
    package typealias Row = [String: String]

    /// The rows of both lists that expect this.
    package static func rows(expecting expected: String) throws -> [Row] {
        try ["manifest.tsv", "cameras.tsv"].flatMap { try rows(of: $0) }
            .filter { $0["expect"] == expected }
    }

    /// The photographs that are to be imported.
    package static func photographs() throws -> [Row] {
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

    /// The path of a file by the name that its row has.
    package static func path(_ name: String) throws -> String {
        guard let folder = BuildProducts.corpus else { throw CocoaError(.fileNoSuchFile) }
        return "\(folder)/\(name)"
    }

    /// The date of a row by RFC 3339: `2016:10:09 14:44:18.445` there.
    package static func date(_ row: Row) -> String? {
        if let other = others[row["path"] ?? ""] { return other }
        guard let text = row["creation_date"], text.count > 10 else { return nil }
        return text.prefix(10).replacingOccurrences(of: ":", with: "-") + "T" + text.dropFirst(11)
    }

    /// The size of a row, upright; nil where it has none.
    package static func size(_ row: Row) -> String? {
        // Every libheif decodes one row fewer than the property of this picture says.
        if row["path"] == "cameras/IMG_7943.HEIC" { return "100x133" }
        guard let width = row["oriented_w"], let height = row["oriented_h"], !width.isEmpty else {
            return nil
        }
        return "\(width)x\(height)"
    }

    /// The date of two files that have several, by the order that is promised: Photoshop's in XMP
    /// before IPTC's and before that of the digitisation, which the manifest has.
    private static let others = [
        "photos/gps/thompson-springs.jpg": "2022-01-10T15:15:44.31",
        "reference/chelsea.png": "2009-02-09T09:11:30",
    ]
}
