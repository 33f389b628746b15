// SPDX-License-Identifier: Apache-2.0

import Library

/// The assets that a plan considers.
package enum WorkSelection: Sendable {
    /// The assets with these identifiers, in this order.
    case named([String])
    /// All assets that a fetch without a limit finds.
    case matching(FetchOptions)
}
