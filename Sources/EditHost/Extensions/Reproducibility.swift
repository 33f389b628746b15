// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Logging

/// The extensions that render identical output from their own recipes. This is tested at the first edit with
/// each build. The results are stored in two lists shared by all hosts of a user.
final class Reproducibility: Sendable {
    private let reproducing: DigestList
    private let differing: DigestList
    private let isAssumed: Bool
    private let logger: Logger

    /// - Parameters:
    ///   - folder: the folder of the lists; nil: results last as long as this object.
    ///   - isAssumed: whether to assume that all extensions are reproducible.
    init(folder: String?, isAssumed: Bool, logger: Logger) {
        reproducing = DigestList(file: folder.map { "\($0)/reproducing.sha256" })
        differing = DigestList(file: folder.map { "\($0)/not-reproducing.sha256" })
        self.isAssumed = isAssumed
        self.logger = logger
    }

    /// Whether an extension is reproducible; nil if it has not been tested. Shipped extensions always are.
    func isReproducing(_ binary: ExtensionBinary) -> Bool? {
        if isAssumed || binary.trust == .shipped || reproducing.contains(binary.digest) {
            return true
        }
        return differing.contains(binary.digest) ? false : nil
    }

    /// Stores the result of a test.
    func remember(_ isReproducing: Bool, of binary: ExtensionBinary) {
        do {
            try (isReproducing ? reproducing : differing)
                .add(binary.digest, of: binary.manifest.identifier)
        } catch {
            logger.warning("cannot store whether an extension is reproducible: \(error)")
        }
    }
}
