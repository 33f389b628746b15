// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Foundation

/// A SHA-256 that is computed over bytes as they arrive, by OpenSSL's libcrypto.
///
/// A value: a copy continues by itself.
///
///     var hash = SHA256()
///     hash.update(data: header)
///     hash.update(data: body)
///     let bytes = hash.finalize()
public struct SHA256: Sendable {
    /// The number of bytes of a hash: 32.
    public static let byteCount = Int(SHA256_DIGEST_LENGTH)

    private var context = SHA256_CTX()

    /// Creates a hash of no bytes.
    public init() {
        SHA256_Init(&context)
    }

    /// Appends bytes in memory.
    public mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        SHA256_Update(&context, start, bytes.count)
    }

    /// Appends the bytes of data, an array or a slice.
    public mutating func update(data: some ContiguousBytes) {
        data.withUnsafeBytes { update(bufferPointer: $0) }
    }

    /// Returns the 32 bytes of the hash of all bytes so far. More can be appended afterwards.
    public func finalize() -> [UInt8] {
        var last = context
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        SHA256_Final(&digest, &last)
        return digest
    }

    /// Returns the 32 bytes of the hash of data.
    public static func hash(data: some ContiguousBytes) -> [UInt8] {
        var hash = Self()
        hash.update(data: data)
        return hash.finalize()
    }

    /// Returns the 32 bytes of the authentication code (HMAC-SHA-256, RFC 2104) of data with a secret key.
    public static func authenticationCode(
        for data: some ContiguousBytes, key: some ContiguousBytes
    ) -> [UInt8] {
        // RFC 2104, section 2: H(K ^ opad, H(K ^ ipad, text)), with a key of the block's 64 bytes.
        let blockSize = 64
        var block = key.withUnsafeBytes { Array($0) }
        if block.count > blockSize { block = hash(data: block) }
        block += [UInt8](repeating: 0, count: blockSize - block.count)
        var inner = Self()
        inner.update(data: block.map { $0 ^ 0x36 })
        inner.update(data: data)
        var outer = Self()
        outer.update(data: block.map { $0 ^ 0x5C })
        outer.update(data: inner.finalize())
        return outer.finalize()
    }
}
