// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Hashing
import Library

extension RenditionRecord {
    /// Whether the key is the hash of the ingredients.
    var hasKeyOfIngredients: Bool {
        SHA256Digest(bytes: SHA256.hash(data: ingredients)) == key
    }
}
