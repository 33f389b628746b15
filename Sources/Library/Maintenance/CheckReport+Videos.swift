// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

extension CheckReport {
    /// Records that a video was decoded.
    ///
    /// - Parameters:
    ///   - fault: The fault that was found, or nil.
    ///   - isInherited: Whether the rendition's original has a fault, too.
    package mutating func note(
        _ video: StoredVideo, fault: String?, isInherited: Bool, in library: PhotoLibrary
    ) {
        decodedCount += 1
        guard let fault else { return }
        let isWhole = video.isOriginal || isInherited
        let advice =
            isInherited
            ? "; so is its original"
            : video.isOriginal
                ? "; the file is as it was imported"
                : "; render it again with edithost rerender --force"
        findings.append(
            Finding(
                kind: .videoNotDecoded, severity: isWhole ? .notice : .damage, isRepairable: false,
                detail: fault + advice, assetIdentifier: video.asset,
                path: video.path(in: library)))
    }

    /// Records that no video decoder is available.
    package mutating func noteUndecoded(_ count: Int, because reason: String) {
        findings.append(
            Finding(
                kind: .videoNotDecoded, severity: .notice, isRepairable: false,
                detail:
                    "\(count == 1 ? "a video was" : "\(count) videos were") not decoded, because \(reason)",
                assetIdentifier: nil, path: nil))
    }
}
