// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The capabilities of a runner, sent when it is ready.
package struct RunnerFacts: Codable, Hashable, Sendable {
    /// The version of the message format; must equal ``currentProtocol``.
    package var protocolVersion: Int
    /// The version of libvips, for example `8.14.1`.
    package var vipsVersion: String
    /// The formats that its libvips can open.
    package var formats: [MediaFormat]
    /// The libvips operations that open them, such as `jpegload_source`; no others are used.
    package var loaders: [String]
    /// The codec libraries whose versions matter.
    package var codecs: [CodecFacts]
    /// The sandbox layers in force.
    package var sandbox: SandboxFacts

    /// The version of the message format in this build.
    package static let currentProtocol = 14

    /// Creates facts from their properties.
    package init(
        protocolVersion: Int = currentProtocol, vipsVersion: String, formats: [MediaFormat],
        loaders: [String] = [], codecs: [CodecFacts] = [], sandbox: SandboxFacts
    ) {
        self.protocolVersion = protocolVersion
        self.vipsVersion = vipsVersion
        self.formats = formats
        self.loaders = loaders
        self.codecs = codecs
        self.sandbox = sandbox
    }
}
