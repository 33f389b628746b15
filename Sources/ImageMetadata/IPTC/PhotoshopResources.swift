// SPDX-License-Identifier: Apache-2.0

/// Photoshop image resources, which include IPTC-IIM.
package enum PhotoshopResources {
    /// The identifier of the JPEG segments with resources.
    static let mark = "Photoshop 3.0\0"

    /// Returns the resources of a JPEG, joined from its segments. Returns `nil` if there are none, or if they exceed
    /// any plausible length.
    package static func joined(in header: JPEGHeader, _ bytes: Bytes) -> [UInt8]? {
        let parts = header.contents(0xED, mark)
        guard !parts.isEmpty, parts.reduce(0, { $0 + $1.count }) <= maximumLength else {
            return nil
        }
        return parts.reduce(into: []) { all, part in
            // Some programs omit the padding of a resource to an even length.
            if all.count % 2 == 1, isResource(bytes, at: part.lowerBound) { all.append(0) }
            all += bytes.slice(part.lowerBound, part.count) ?? []
        }
    }

    private static let maximumLength = 16 << 20

    /// Returns resources with another IPTC block, and without the old digest of IPTC.
    ///
    /// - Parameters:
    ///   - block: The new block; `nil` to remove it.
    ///   - resources: The old resources. They are truncated at the first malformed one.
    static func replacing(_ block: IPTCBlock?, in resources: [UInt8]) -> [UInt8] {
        let bytes = Bytes(resources)
        var result = block?.resource ?? []
        var position = 0
        while isResource(bytes, at: position),
            let kind = bytes.number(position + 4, 2, bigEndian: true),
            let nameLength = bytes[position + 6].map(Int.init)
        {
            let header = position + 6 + (nameLength + 2) / 2 * 2
            guard let length = bytes.number(header, 4, bigEndian: true).map(Int.init) else { break }
            let end = header + 4 + (length + 1) / 2 * 2
            guard let resource = bytes.slice(position, min(end, bytes.count) - position),
                header + 4 + length <= bytes.count
            else { break }
            if !bytes.has("8BIM", at: position) || kind != iptc && kind != digest {
                result += resource
            }
            position = end
        }
        return result
    }

    /// Whether a resource starts at an offset, with the signature of Photoshop or of a related program.
    static func isResource(_ bytes: Bytes, at position: Int) -> Bool {
        ["8BIM", "AgHg", "MeSa", "PHUT", "DCSR"].contains { bytes.has($0, at: position) }
    }

    private static let iptc: UInt64 = 0x0404
    /// The digest with which Photoshop detects changes by other programs.
    private static let digest: UInt64 = 0x0425
}
