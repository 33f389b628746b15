// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Synchronization

extension PhotoLibrary {
    /// The assets to be read, by identifier or by row id.
    package enum WantedAssets: Sendable {
        case identifiers([String])
        case rows([Int64])

        /// The number of assets.
        package var count: Int {
            switch self {
            case .identifiers(let identifiers): identifiers.count
            case .rows(let rows): rows.count
            }
        }

        fileprivate var column: String {
            switch self {
            case .identifiers: "uuid"
            case .rows: "id"
            }
        }

        fileprivate var json: String {
            get throws {
                switch self {
                case .identifiers(let identifiers):
                    String(decoding: try JSONEncoder().encode(identifiers), as: UTF8.self)
                case .rows(let rows): rows.json
                }
            }
        }
    }

    /// Returns the identifiers in database order, so that no page is read twice.
    ///
    /// - Throws: `LibraryError`.
    package func inStorageOrder(_ identifiers: [String]) throws -> [String] {
        let wanted = String(decoding: try JSONEncoder().encode(identifiers), as: UTF8.self)
        return try read { database in
            try database.values(
                """
                SELECT asset.uuid FROM json_each(?) AS wanted
                CROSS JOIN asset ON asset.uuid = wanted.value ORDER BY asset.id
                """, [wanted], as: String.self)
        }
    }

    /// Reads the data that decides whether renditions are up to date. This reads at least three
    /// rows for each asset that was not surveyed, but no recipe.
    ///
    /// - Parameters:
    ///   - wanted: The assets, a few thousand at a time.
    ///   - suspects: The rows to be read even if an earlier survey found them up to date; nil for
    ///     all rows.
    /// - Throws: `LibraryError`.
    package func renditionRecords(
        of wanted: WantedAssets, suspects: Set<Int64>? = nil
    ) throws -> RenditionRecords {
        let json = try wanted.json
        return try read { database in
            var upToDate: [(SurveyedAsset, Bool)] = []
            var unedited: [SurveyedAsset] = []
            var edited: [Int64: SurveyedAsset] = [:]
            try database.cachedStatement(
                sql: """
                    SELECT asset.id, asset.uuid, change, position IS NULL FROM json_each(?) AS wanted
                    CROSS JOIN asset ON asset.\(wanted.column) = wanted.value
                    LEFT JOIN unsurveyed ON unsurveyed.asset = asset.id
                    """
            ).forEachRow([json]) { row in
                let asset = SurveyedAsset(
                    row: try row.rowNumber(0), identifier: try row.value(1),
                    change: try row.value(2))
                let isUnedited: Bool = try row.value(3)
                if asset.change == nil, let suspects, !suspects.contains(asset.row) {
                    upToDate.append((asset, !isUnedited))
                } else if isUnedited {
                    unedited.append(asset)
                } else {
                    edited[asset.row] = asset
                }
            }
            return RenditionRecords(
                stamp: try StoredSurvey.stamp(database), upToDate: upToDate, unedited: unedited,
                edited: try RenditionRecord.all(of: edited, database))
        }
    }
}
