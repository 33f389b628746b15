// SPDX-License-Identifier: Apache-2.0

import Library

extension ContentEditingInput {
    /// The history of the Live Photo's video and the edits that it starts from, or nil if there is no motion to edit.
    var motion: (history: AssetHistory, below: [Edit])? {
        guard below.allSatisfy(\.coversMotion), let motion = history.motion else { return nil }
        return (motion, Array(motion.chain.prefix(below.count)))
    }
}
