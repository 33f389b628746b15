// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

/// A request as it came, with its descriptors.
package struct Incoming: Sendable {
    /// The number to answer with.
    package let number: UInt32
    /// What is asked.
    package let request: RunnerRequest
    private let descriptors: [DescriptorRole: OpenFile]

    init(number: UInt32, envelope: RequestEnvelope, descriptors: [OpenFile]) {
        self.number = number
        request = envelope.request
        let pairs = zip(envelope.descriptors, descriptors)
        self.descriptors = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// The descriptor of a role, if it came.
    package func optional(_ role: DescriptorRole) -> OpenFile? { descriptors[role] }

    /// The descriptor of a role that the request cannot do without.
    package func descriptor(_ role: DescriptorRole) throws(RunnerFailure) -> OpenFile {
        guard let found = descriptors[role] else {
            throw RunnerFailure(
                code: .badRequest,
                message: "the descriptor \(role.rawValue) is missing from the request")
        }
        return found
    }
}
