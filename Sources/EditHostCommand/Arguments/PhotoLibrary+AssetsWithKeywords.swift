// SPDX-License-Identifier: Apache-2.0

import Library

extension PhotoLibrary {
    /// Returns the assets outside the trash that have any of these keywords.
    func assets(withKeywords keywords: [String]) throws -> [Asset] {
        var options = FetchOptions.everything
        options.predicate = .keyword(.oneOf(keywords))
        return try Asset.fetchAssets(in: self, options: options).elements()
    }
}
