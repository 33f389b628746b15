// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A property that the inputs of many renditions have in common.
package struct SurveyedKind: Hashable, Sendable {
    /// The input that a kind describes.
    package enum Subject: String, Sendable {
        /// An original, by its facts; see ``RenditionRecord/originalKind``.
        case original
        /// An edit, by its extension and format; see ``RenditionRecord/Step/kind``.
        case step
    }

    /// The input that the kind describes.
    package let subject: Subject
    /// The facts of the original, or the extension and format of the edit.
    package let kind: String
    /// The hash of the inputs that this kind has in common.
    package let digest: SHA256Digest
    /// The row id of an asset that has an input of this kind, or had one.
    package let sample: Int64

    /// Creates a kind from its properties.
    package init(subject: Subject, kind: String, digest: SHA256Digest, sample: Int64) {
        self.subject = subject
        self.kind = kind
        self.digest = digest
        self.sample = sample
    }
}

extension SurveyedKind.Subject: StoredName {}
