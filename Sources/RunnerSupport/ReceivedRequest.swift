// SPDX-License-Identifier: Apache-2.0

import FileAccess
import RunnerProtocol

/// A received request with its descriptors.
package struct ReceivedRequest: Sendable {
    /// The number with which the reply must be sent.
    package let number: UInt32
    /// The decoded request.
    package let request: RunnerRequest
    private let descriptors: [DescriptorRole: OpenFile]

    init(number: UInt32, envelope: RequestEnvelope, descriptors: [OpenFile]) {
        self.number = number
        request = envelope.request
        let pairs = zip(envelope.descriptors, descriptors)
        self.descriptors = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the descriptor of a role, or nil if it was not sent.
    package func optional(_ role: DescriptorRole) -> OpenFile? { descriptors[role] }

    /// Returns the descriptor of a role that the request requires.
    ///
    /// - Throws: `RunnerFailure` with `badRequest` if it was not sent.
    package func descriptor(_ role: DescriptorRole) throws(RunnerFailure) -> OpenFile {
        guard let found = descriptors[role] else {
            throw RunnerFailure(
                code: .badRequest,
                message: "the descriptor \(role.rawValue) is missing from the request")
        }
        return found
    }
}
