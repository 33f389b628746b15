// SPDX-License-Identifier: Apache-2.0

/// A request with the roles of the descriptors that are sent with it, in order.
package struct RequestEnvelope: Codable, Hashable, Sendable {
    /// The roles of the descriptors, without a leading `inbox`.
    package var descriptors: [DescriptorRole]
    /// The request of the envelope.
    package var request: RunnerRequest

    /// Creates an envelope from its properties.
    package init(descriptors: [DescriptorRole], request: RunnerRequest) {
        self.descriptors = descriptors
        self.request = request
    }
}
