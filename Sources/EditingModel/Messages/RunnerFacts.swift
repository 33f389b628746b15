// SPDX-License-Identifier: Apache-2.0

/// What a runner is, said when it is ready.
public struct RunnerFacts: Codable, Hashable, Sendable {
    /// The version of the message format; must be ``currentProtocol``.
    public var protocolVersion: Int
    /// The version of libvips, for example `8.14.1`.
    public var vipsVersion: String
    /// The formats that its libvips opens.
    public var formats: [MediaFormat]
    /// The operations of libvips that open them, such as `jpegload_source`; no other is used.
    public var loaders: [String]
    /// What keeps it from doing harm.
    public var sandbox: SandboxFacts

    /// The version of the message format that this build speaks.
    public static let currentProtocol = 4

    /// Makes facts.
    public init(
        protocolVersion: Int = currentProtocol, vipsVersion: String, formats: [MediaFormat],
        loaders: [String] = [], sandbox: SandboxFacts
    ) {
        self.protocolVersion = protocolVersion
        self.vipsVersion = vipsVersion
        self.formats = formats
        self.loaders = loaders
        self.sandbox = sandbox
    }
}
