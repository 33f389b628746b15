// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension WorkJob {
    /// The kind of the job's photo; `nil` if no output is a photo.
    package var kind: WorkKind? {
        let photos = outputs.filter { $0.part == .photo }
        guard let first = photos.first else { return nil }
        return WorkKind(
            format: inputs[first.original].format ?? .unknown,
            chains: photos.map { $0.steps.map { steps[$0].extension } })
    }
}
