// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

extension RunnerFacts {
    /// The names and versions of the codec libraries, in one line.
    var codecVersions: String {
        codecs.map { [$0.name, $0.version].compactMap(\.self).joined(separator: " ") }
            .joined(separator: ", ")
    }
}
