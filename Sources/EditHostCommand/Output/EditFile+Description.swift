// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension EditFile {
    /// The JSON of an edit's file in `show`.
    var json: JSONValue {
        [
            "parameter": .string(parameter), "filename": .string(filename),
            "sha256": .string(hash.hex), "size": .integer(size),
        ]
    }
}
