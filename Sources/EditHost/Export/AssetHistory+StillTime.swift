// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension AssetHistory {
    /// The time of the still in the Live Photo's video, in seconds; nil if its files do not contain it.
    var stillTime: Double? {
        if let time = original?.facts?.embeddedVideo?.presentationTime { return Double(time) / 1e6 }
        return pairedVideo?.facts?.video?.stillTime
    }
}
