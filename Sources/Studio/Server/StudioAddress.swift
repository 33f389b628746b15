// SPDX-License-Identifier: Apache-2.0

/// The address of a studio in a browser.
package struct StudioAddress: Hashable, Sendable {
    /// The host name, such as `k3v9q2.localhost`.
    package let hostName: String
    /// The TCP port.
    package let port: Int
    /// Whether connections are encrypted.
    package let isSecure: Bool

    /// Creates an address.
    package init(hostName: String, port: Int, isSecure: Bool) {
        (self.hostName, self.port, self.isSecure) = (hostName.lowercased(), port, isSecure)
    }

    /// The URL of the page.
    package var url: String { "\(isSecure ? "https" : "http")://\(host)/" }

    /// The value of the Host header. Browsers omit the usual port.
    var host: String { port == (isSecure ? 443 : 80) ? hostName : "\(hostName):\(port)" }

    /// Returns whether this is the value of a Host header for this address.
    func isHost(_ value: String?) -> Bool {
        guard let value = value?.lowercased() else { return false }
        return value == host || value == "\(hostName):\(port)"
    }
}
