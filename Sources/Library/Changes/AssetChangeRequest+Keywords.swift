// SPDX-License-Identifier: Apache-2.0

extension AssetChangeRequest {
    /// What is to become of a keyword.
    enum KeywordChange: Sendable {
        case add(String)
        case remove(String)
    }

    /// Asks for a keyword; one that the asset has already stays.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for a keyword that ``PhotoMetadata/text(_:)`` would not keep as it is,
    ///   and where the asset would have too many.
    public func addKeyword(_ keyword: String) throws {
        try add(.add(keyword))
    }

    /// Asks for a keyword to be taken away; one that the asset does not have is no error.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public func removeKeyword(_ keyword: String) throws {
        try add(.remove(keyword))
    }
}
