// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// Ed25519 signatures (RFC 8032), computed by OpenSSL's libcrypto.
public enum Ed25519 {
    /// The length of a public key, and of the seed of a secret key, in bytes: 32.
    public static let keySize = 32
    /// The length of a signature in bytes: 64.
    public static let signatureSize = 64

    /// Returns whether a signature of a message was made with the secret key of a public key.
    public static func isValid(
        _ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]
    ) -> Bool {
        guard signature.count == signatureSize, publicKey.count == keySize,
            let key = EVP_PKEY_new_raw_public_key(
                EVP_PKEY_ED25519, nil, publicKey, publicKey.count)
        else { return false }
        defer { EVP_PKEY_free(key) }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// Returns the signature of a message; nil if the seed does not have 32 bytes.
    public static func signature(of message: [UInt8], seed: [UInt8]) -> [UInt8]? {
        guard let key = secretKey(seed) else { return nil }
        defer { EVP_PKEY_free(key) }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: signatureSize)
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
            count == signatureSize
        else { return nil }
        return signature
    }

    /// Returns the public key of a secret key; nil if the seed does not have 32 bytes.
    public static func publicKey(seed: [UInt8]) -> [UInt8]? {
        guard let key = secretKey(seed) else { return nil }
        defer { EVP_PKEY_free(key) }
        var bytes = [UInt8](repeating: 0, count: keySize)
        var count = bytes.count
        guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == keySize else {
            return nil
        }
        return bytes
    }

    private static func secretKey(_ seed: [UInt8]) -> OpaquePointer? {
        guard seed.count == keySize else { return nil }
        return EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
    }
}
