// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What jobs with the same probe have in common: the format of the original and the extensions that run over it.
package struct WorkKind: Hashable, Sendable {
    /// The format of the original.
    package let format: MediaFormat
    /// The digests of the extensions of each output, lowest first.
    package let chains: [[WorkHash]]
}

extension WorkJob {
    /// The kind of the job's photograph; `nil` if no output is a photograph.
    package var kind: WorkKind? {
        let photos = outputs.filter { $0.part == .photo }
        guard let first = photos.first else { return nil }
        return WorkKind(
            format: inputs[first.original].format ?? .unknown,
            chains: photos.map { $0.steps.map { steps[$0].extension } })
    }
}
