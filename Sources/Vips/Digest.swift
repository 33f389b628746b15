// SPDX-License-Identifier: Apache-2.0

import CVips

/// Digests that file formats ask for; GLib, which libvips is built on, computes them.
public enum Digest {
    /// The MD5 of bytes, in 32 hexadecimal digits with capital letters. It tells whether bytes are whole; against
    /// somebody who wants to deceive it is of no use.
    public static func md5(_ bytes: [UInt8]) -> String {
        let text = bytes.withUnsafeBufferPointer {
            g_compute_checksum_for_data(G_CHECKSUM_MD5, $0.baseAddress, gsize($0.count))
        }
        defer { g_free(text) }
        return text.map { String(cString: $0).uppercased() } ?? ""
    }
}
