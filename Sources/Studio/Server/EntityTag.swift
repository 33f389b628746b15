// SPDX-License-Identifier: Apache-2.0

/// The comparison of entity tags, by which browsers ask whether their copy is current.
enum EntityTag {
    /// Returns whether the value of an If-None-Match header names a tag, with weak comparison.
    static func matches(_ header: String?, _ tag: String) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { item in
            let text = item.drop { $0 == " " }.prefix { $0 != " " }
            return text == "*" || text == tag || text == "W/\(tag)"
        }
    }
}
