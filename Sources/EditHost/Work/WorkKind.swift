// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The common properties of jobs with the same probe: the format of the original and the extensions that run over it.
package struct WorkKind: Hashable, Sendable {
    /// The format of the original.
    package let format: MediaFormat
    /// The digests of the extensions of each output, lowest first.
    package let chains: [[WorkHash]]
}
