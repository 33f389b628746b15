// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Where edits are put in the edit stack. Without this option, they are added above the existing edits, unless the last
/// of these are the same.
enum EditPlace: String, EnumerableFlag {
    case append, replace

    static func help(for value: EditPlace) -> ArgumentHelp? {
        switch value {
        case .append: "Add new edits, even if the last edits are the same or could be updated."
        case .replace: "Replace all existing edits with the new ones."
        }
    }
}
