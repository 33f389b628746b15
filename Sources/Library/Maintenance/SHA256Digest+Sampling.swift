// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension SHA256Digest {
    /// Whether a file with this hash is part of a sample of the given percentage. The result is
    /// deterministic.
    func isInSample(ofPercent percent: Double) -> Bool {
        guard percent > 0 else { return false }
        let place = UInt32(hex.suffix(6), radix: 16) ?? 0
        return Double(place) / Double(1 << 24) * 100 < percent
    }
}
