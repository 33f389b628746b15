// SPDX-License-Identifier: Apache-2.0

/// A request and what the descriptors that travel with it are, in their order.
public struct RequestEnvelope: Codable, Hashable, Sendable {
    /// The roles of the descriptors, without a leading `inbox`.
    public var descriptors: [DescriptorRole]
    /// The request.
    public var request: RunnerRequest

    /// Makes an envelope.
    public init(descriptors: [DescriptorRole], request: RunnerRequest) {
        self.descriptors = descriptors
        self.request = request
    }
}
