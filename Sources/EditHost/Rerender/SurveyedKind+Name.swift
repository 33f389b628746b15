// SPDX-License-Identifier: Apache-2.0

import Library

extension SurveyedKind {
    /// The identity of a kind.
    struct Name: Hashable {
        let subject: Subject
        let kind: String
    }

    /// The identity of the kind.
    var name: Name { Name(subject: subject, kind: kind) }
}
