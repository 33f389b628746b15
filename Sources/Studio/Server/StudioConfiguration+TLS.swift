// SPDX-License-Identifier: Apache-2.0

import EditHost
import HummingbirdTLS
import NIOSSL

extension StudioConfiguration.Listening {
    /// The TLS settings with the certificate and the key.
    ///
    /// - Throws: `HostError` with `badConfiguration` if a file is missing or invalid.
    var tls: TLSConfiguration {
        get throws {
            let chain = try reading(certificate) { try NIOSSLCertificate.fromPEMFile($0) }
            let key = try reading(key) { try NIOSSLPrivateKey(file: $0, format: .pem) }
            return TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        }
    }

    private func reading<Value>(_ path: String, _ body: (String) throws -> Value) throws -> Value {
        do {
            return try body(path)
        } catch {
            throw HostError(
                .badConfiguration, "\(path) is not a readable file in PEM: \(error)",
                underlying: error)
        }
    }
}
