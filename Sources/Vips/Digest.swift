// SPDX-License-Identifier: Apache-2.0

import CVips

/// Digests that file formats require, computed by GLib, on which libvips is built.
public enum Digest {
    /// Returns the MD5 of the bytes as 32 uppercase hexadecimal digits. It detects corruption, but not deliberate
    /// manipulation.
    public static func md5(_ bytes: [UInt8]) -> String {
        let text = bytes.withUnsafeBufferPointer {
            g_compute_checksum_for_data(G_CHECKSUM_MD5, $0.baseAddress, gsize($0.count))
        }
        defer { g_free(text) }
        return text.map { String(cString: $0).uppercased() } ?? ""
    }
}
