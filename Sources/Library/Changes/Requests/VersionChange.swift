// SPDX-License-Identifier: Apache-2.0

/// A change of a named version of an asset.
enum VersionChange: Sendable {
    case save(String, replaces: Bool)
    /// A nil tip means the edit that the version refers to when the change is executed.
    case use(String, tip: String?, RenderedContent?)
    case rename(String, to: String)
    case remove(String)
}
