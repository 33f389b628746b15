// SPDX-License-Identifier: Apache-2.0

/// What a runner is, said when it is ready.
public struct RunnerFacts: Codable, Hashable, Sendable {
    /// The version of the message format; must be ``currentProtocol``.
    public var protocolVersion: Int
    /// The version of libvips, for example `8.14.1`.
    public var vipsVersion: String

    /// The version of the message format that this build speaks.
    public static let currentProtocol = 1

    /// Makes facts.
    public init(protocolVersion: Int = currentProtocol, vipsVersion: String) {
        self.protocolVersion = protocolVersion
        self.vipsVersion = vipsVersion
    }
}
