// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Logging

/// Which extensions draw the same again from their own recipes. Found out at the first edit of each
/// build, and remembered in two lists that all hosts of a user share.
final class Reproducibility: Sendable {
    private let reproducing: DigestList
    private let differing: DigestList
    private let isAssumed: Bool
    private let logger: Logger

    /// - Parameters:
    ///   - folder: where the lists are; nil: they are forgotten with this object.
    ///   - isAssumed: whether all extensions are taken to draw the same again.
    init(folder: String?, isAssumed: Bool, logger: Logger) {
        reproducing = DigestList(file: folder.map { "\($0)/reproducing.sha256" })
        differing = DigestList(file: folder.map { "\($0)/not-reproducing.sha256" })
        self.isAssumed = isAssumed
        self.logger = logger
    }

    /// Whether an extension draws the same again; nil: that has to be found out. Those that came with
    /// the host do.
    func isReproducing(_ binary: ExtensionBinary) -> Bool? {
        if isAssumed || binary.trust == .shipped || reproducing.contains(binary.digest) {
            return true
        }
        return differing.contains(binary.digest) ? false : nil
    }

    /// It was found out.
    func remember(_ isReproducing: Bool, of binary: ExtensionBinary) {
        do {
            try (isReproducing ? reproducing : differing)
                .add(binary.digest, of: binary.manifest.identifier)
        } catch {
            logger.warning("cannot store whether an extension is reproducible: \(error)")
        }
    }
}
