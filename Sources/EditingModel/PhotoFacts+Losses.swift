// SPDX-License-Identifier: Apache-2.0

extension PhotoFacts {
    /// Descriptions of the file's content that an edited image lacks; empty if there are none.
    public var losses: [String] {
        guard video == nil else { return [] }
        var losses = Companion.allCases.filter { companions?.contains($0) == true }.map(\.words)
        if frameCount > 1 {
            let others = frameCount - 1
            let name =
                switch format {
                case .tiff: others == 1 ? "page" : "pages"
                case .heic, .avif: others == 1 ? "picture" : "pictures"
                default: others == 1 ? "frame" : "frames"
                }
            losses.append(others == 1 ? "the other \(name)" : "the other \(others) \(name)")
        }
        return losses
    }
}
