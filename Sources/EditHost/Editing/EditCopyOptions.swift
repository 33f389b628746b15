// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// Options for applying edits: which edits are copied, and their position in the target's edit stack.
public struct EditCopyOptions: Sendable {
    /// The names of the extensions whose edits are copied, or nil for all edits.
    public var extensionNames: [String]?
    /// True if the edits replace those of the target. Otherwise they are added above them.
    public var replacesEdits = false
    /// True if the edits are added even if the last edits of the target are these already. If false, the target then
    /// stays as it is.
    public var repeatsEdits = false
    /// If true, only the still of a Live Photo is edited. The motion is hidden until the edits are undone.
    public var stillOnly = false

    /// Creates options that add all edits above the existing ones, unless the last of those are the same.
    public init() {}
}
