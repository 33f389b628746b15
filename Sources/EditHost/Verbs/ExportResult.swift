// SPDX-License-Identifier: Apache-2.0

/// What became of the export of one asset.
public struct ExportResult: Sendable {
    /// The asset.
    public let assetIdentifier: String
    /// The path of the new file, or why there is none.
    public let path: Result<String, any Error>
}
