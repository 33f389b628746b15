// SPDX-License-Identifier: Apache-2.0

extension AssetChangeRequest {
    /// What is to become of a keyword.
    enum KeywordChange: Sendable {
        case add(String)
        case remove(String)
    }

    /// Asks for a keyword; one that the asset has already stays. Only inside the block.
    ///
    /// `performChanges` throws `invalidRequest` for a keyword that ``PhotoMetadata/text(_:)`` would
    /// not keep as it is, and where the asset would have too many.
    public func addKeyword(_ keyword: String) {
        set { $0.keywordChanges.append(.add(keyword)) }
    }

    /// Asks for a keyword to be taken away; one that the asset does not have is no error. Only
    /// inside the block.
    public func removeKeyword(_ keyword: String) {
        set { $0.keywordChanges.append(.remove(keyword)) }
    }
}
