// SPDX-License-Identifier: Apache-2.0

extension Array where Element == Int64 {
    /// The numbers as a JSON array, for SQLite's `json_each`.
    var json: String { "[" + map(String.init).joined(separator: ",") + "]" }
}
