// SPDX-License-Identifier: Apache-2.0

import Library

/// The results of earlier surveys of a library that are still valid.
struct EarlierSurvey: Sendable {
    /// The stamp of the stored survey; `nil` if nothing can be stored.
    let stamp: Int64?
    /// The kinds whose digests are stored.
    let kinds: [SurveyedKind]
    /// The rows of the assets that must be checked although a survey has found them up to date; `nil` for all assets.
    let suspects: Set<Int64>?

    /// An empty survey: every asset must be checked, and nothing can be stored.
    static let none = EarlierSurvey(stamp: nil, kinds: [], suspects: nil)
}
