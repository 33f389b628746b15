// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A request as it came, with its descriptors.
struct Incoming: Sendable {
    /// The number to answer with.
    let number: UInt32
    /// What is asked.
    let request: RunnerRequest
    private let descriptors: [DescriptorRole: FileDescriptor]

    init(number: UInt32, envelope: RequestEnvelope, descriptors: [FileDescriptor]) {
        self.number = number
        request = envelope.request
        let pairs = zip(envelope.descriptors, descriptors)
        self.descriptors = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// The descriptor of a role, if it came.
    func optional(_ role: DescriptorRole) -> FileDescriptor? { descriptors[role] }

    /// The descriptor of a role that the request cannot do without.
    func descriptor(_ role: DescriptorRole) throws(RunnerFailure) -> FileDescriptor {
        guard let found = descriptors[role] else {
            throw RunnerFailure(
                code: .badRequest, message: "the descriptor \(role.rawValue) did not come along")
        }
        return found
    }
}
