// SPDX-License-Identifier: Apache-2.0

extension AssetPredicate {
    /// Returns a condition for assets with this text in the filename, title, description, label or
    /// a keyword.
    public static func anyText(contains text: String) -> AssetPredicate {
        let keys: [TextKey] = [.originalFilename, .title, .description, .label]
        return .or(keys.map { .text($0, .contains(text)) } + [.keyword(.contains(text))])
    }
}
