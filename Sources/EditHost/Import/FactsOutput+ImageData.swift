// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Hashing
import RunnerHost

extension FactsOutput.Picture {
    /// Computes ``PhotoFacts/imageDataHash`` from the ranges that the runner found. It stays nil if they are unknown or
    /// not in the file.
    ///
    /// - Throws: `HostError` with `fileFailed`; `CancellationError`.
    mutating func hashImageData(of file: OpenFile) throws {
        // The ranges come from a runner that has read an untrusted file.
        guard let imageData, let length = file.length, imageData.count <= 4096,
            imageData.allSatisfy({ $0.lowerBound >= 0 && $0.upperBound <= length }),
            imageData.reduce(0, { $0 + $1.count }) <= length
        else { return }
        var hasher = SHA256()
        for range in imageData {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
                try Task.checkCancellation()
                let count = min(1 << 20, range.upperBound - start)
                hasher.update(data: try file.read(count: count, at: start))
            }
        }
        facts.imageDataHash = SHA256Digest(bytes: hasher.finalize()).hex
    }
}
