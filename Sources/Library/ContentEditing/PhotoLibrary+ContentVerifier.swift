// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
    /// The verifier of this library; nil if no host is attached.
    package var contentVerifier: (any ContentVerifier)? { verifier.withLock { $0 } }

    /// Sets the verifier for files of subsequent change blocks.
    package func setContentVerifier(_ new: any ContentVerifier) { verifier.withLock { $0 = new } }
}
