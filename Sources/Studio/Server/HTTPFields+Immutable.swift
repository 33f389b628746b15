// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPFields {
    /// Returns the headers of content that never changes, with its entity tag.
    static func immutable(_ tag: String) -> HTTPFields {
        [.eTag: tag, .cacheControl: "private, max-age=31536000, immutable"]
    }
}
