// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Hashing

extension Data {
    /// The SHA-256 of a recipe, as stored in the database.
    var recipeHash: String { SHA256Digest(bytes: SHA256.hash(data: self)).hex }
}
