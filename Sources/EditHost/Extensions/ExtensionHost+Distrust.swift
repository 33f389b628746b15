// SPDX-License-Identifier: Apache-2.0

import RunnerHost

extension ExtensionHost {
    /// Logs a warning if a new build will be untrusted although the installed one is trusted, or although a trusted
    /// publisher signed it: trust in an extension does not pass to another publisher.
    ///
    /// - Parameters:
    ///   - binary: the new build.
    ///   - publisher: the trusted publisher that signed it; nil if there is none.
    ///   - origin: its path or URL, for messages.
    ///   - keepingTrust: whether to throw `HostError` with `badRequest` instead.
    /// - Returns: whether there was a warning.
    func reportDistrust(
        of binary: ExtensionBinary, signedBy publisher: PublisherKey?, from origin: String,
        keepingTrust: Bool
    ) throws -> Bool {
        guard let reason = distrust(of: binary, signedBy: publisher, from: origin) else {
            return false
        }
        let identifier = binary.manifest.identifier
        guard !keepingTrust else {
            throw HostError(
                .badRequest,
                "\(reason), and the installed version is kept; use edithost extensions install "
                    + "--replace to replace it anyway", extension: identifier)
        }
        logger.warning(
            "\(reason); to trust it, use edithost extensions trust \(identifier)")
        return true
    }

    /// Returns why a new build will be untrusted although the installed one is trusted, or although a trusted publisher
    /// signed it; nil otherwise.
    private func distrust(
        of binary: ExtensionBinary, signedBy publisher: PublisherKey?, from origin: String
    ) -> String? {
        let identifier = binary.manifest.identifier
        let current = extensions.catalogue.all.filter { $0.identifier == identifier }
        // A copy in the user's folder may precede the one that is part of edithost.
        let isShipped = current.contains { extensions.standing(of: $0)?.trust == .shipped }
        let isTrusted =
            current.first { $0.status == .available }
            .flatMap { extensions.standing(of: $0) }.map { $0.trust != .none } ?? false
        guard !binary.isTrusted, isTrusted || publisher != nil else { return nil }
        if let publisher, !isShipped, extensions.trust.accepts(publisher, of: identifier) {
            return nil
        }
        let signers = extensions.trust.publishers(of: identifier).map(\.name)
        let earlier =
            isShipped
            ? "is part of edithost"
            : signers.isEmpty
                ? "is trusted by your decision"
                : "is trusted as signed by the publisher \(signers.joined(separator: ", "))"
        let new =
            publisher.map { "is signed by the publisher \($0.name)" }
            ?? "has no signature of a trusted publisher"
        return
            "\(identifier) \(earlier), but the build in \(origin) \(new), so this build is not trusted"
    }
}
