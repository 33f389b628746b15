// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Foundation

/// An incremental BLAKE2b (RFC 7693) with 64 bytes of output, computed by OpenSSL's libcrypto.
public final class BLAKE2b512 {
    /// The length of a digest in bytes: 64.
    public static let byteCount = 64

    private let context: OpaquePointer?
    private var isValid: Bool

    /// Creates the hash of an empty input.
    public init() {
        context = EVP_MD_CTX_new()
        isValid = EVP_DigestInit_ex(context, EVP_blake2b512(), nil) == 1
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Appends the bytes of data, an array or a slice.
    public func update(data: some ContiguousBytes) {
        data.withUnsafeBytes { bytes in
            guard isValid, !bytes.isEmpty else { return }
            isValid = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
        }
    }

    /// Returns the 64-byte digest of the input; nil if libcrypto failed. No bytes can be appended afterwards.
    public func finalize() -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        guard isValid, EVP_DigestFinal_ex(context, &digest, nil) == 1 else { return nil }
        isValid = false
        return digest
    }
}
