// SPDX-License-Identifier: Apache-2.0

import EditHost

/// The settings of a studio server.
package struct StudioConfiguration: Sendable {
    /// The address that a server listens on for other machines, with TLS.
    package struct Listening: Sendable {
        /// The address of a network interface, such as `0.0.0.0`.
        package var address: String
        /// The path of the certificate chain, in PEM.
        package var certificate: String
        /// The path of the private key, in PEM.
        package var key: String

        /// Creates the settings for TLS.
        package init(address: String, certificate: String, key: String) {
            (self.address, self.certificate, self.key) = (address, certificate, key)
        }
    }

    /// The host name in URLs, without a port, such as `k3v9q2.localhost`.
    package var hostName: String
    /// The TCP port; 0 for a free one.
    package var port: Int
    /// The settings for TLS; nil to listen on the loopback addresses only.
    package var listening: Listening?
    /// Whether browsers are prevented from changing the library.
    package var isReadOnly = false
    /// The folder with the files of the page.
    package var webFolder: String
    /// The folder for login tokens, accessible by the user only.
    package var tokenFolder: String
    /// The limits on requests.
    package var limits = StudioLimits()

    /// Creates settings for the loopback addresses.
    package init(hostName: String, port: Int = 0, webFolder: String, tokenFolder: String) {
        self.hostName = hostName
        self.port = port
        self.webFolder = webFolder
        self.tokenFolder = tokenFolder
    }
}
