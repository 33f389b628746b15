// SPDX-License-Identifier: Apache-2.0

import HummingbirdTLS
import NIOSSL

extension StudioConfiguration.Listening {
    /// The TLS settings with the certificate and the key.
    ///
    /// - Throws: `NIOSSLError` if a file is missing or invalid.
    var tls: TLSConfiguration {
        get throws {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate)
            return TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        }
    }
}
