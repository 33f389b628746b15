// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Foundation

/// An incremental SHA-256 computed by OpenSSL's libcrypto.
///
/// It has value semantics: a copy continues independently.
///
///     var hash = SHA256()
///     hash.update(data: header)
///     hash.update(data: body)
///     let bytes = hash.finalize()
public struct SHA256: Sendable {
    /// The length of a digest in bytes: 32.
    public static let byteCount = Int(SHA256_DIGEST_LENGTH)

    private var context = SHA256_CTX()

    /// Creates the hash of an empty input.
    public init() {
        SHA256_Init(&context)
    }

    /// Appends the bytes of a buffer.
    public mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        SHA256_Update(&context, start, bytes.count)
    }

    /// Appends the bytes of data, an array or a slice.
    public mutating func update(data: some ContiguousBytes) {
        data.withUnsafeBytes { update(bufferPointer: $0) }
    }

    /// Returns the 32-byte digest of the input so far. More bytes can be appended afterwards.
    public func finalize() -> [UInt8] {
        var last = context
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        SHA256_Final(&digest, &last)
        return digest
    }

    /// Returns the 32-byte digest of the data.
    public static func hash(data: some ContiguousBytes) -> [UInt8] {
        var hash = Self()
        hash.update(data: data)
        return hash.finalize()
    }

    /// Returns the 32-byte HMAC-SHA-256 (RFC 2104) of data with a secret key.
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
