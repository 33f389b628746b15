// SPDX-License-Identifier: Apache-2.0

import RunnerHost

extension ExtensionHost {
    /// Logs a warning if a new build will be untrusted although the installed one is trusted, or although a trusted
    /// publisher signed it: trust in an extension does not pass to another publisher.
    ///
    /// - Parameters:
    ///   - binary: The new build.
    ///   - publisher: The trusted publisher that signed it; nil if there is none.
    ///   - origin: Its path or URL, for messages.
    ///   - keepingTrust: Whether to throw `HostError` with `badRequest` instead.
    /// - Returns: Whether there was a warning.
    func reportDistrust(
        of binary: ExtensionBinary, signedBy publisher: PublisherKey?, from origin: String,
        keepingTrust: Bool
    ) throws -> Bool {
        guard let reason = distrust(of: binary, signedBy: publisher, from: origin) else {
            return false
        }
        try report(reason, of: binary.manifest.identifier, keepingTrust: keepingTrust)
        return true
    }

    /// Trusts a new build because of its publisher's signature. Trust in the installed build remains.
    ///
    /// A warning is logged if the publisher has been revoked since the signature was verified.
    ///
    /// - Parameters:
    ///   - origin: Its path or URL, for messages.
    ///   - keepingTrust: Whether to throw `HostError` with `badRequest` instead of the warning.
    /// - Throws: `HostError` with `fileFailed` if the trust cannot be stored.
    func trust(
        _ binary: ExtensionBinary, signedBy publisher: PublisherKey, from origin: String,
        keepingTrust: Bool
    ) throws {
        let identifier = binary.manifest.identifier
        // Uses the digest of the private copy, because other processes could have changed the folder in the meantime.
        guard
            try !extensions.trust.trust(
                binary.digest, of: identifier, signedBy: publisher, keepingOtherBuilds: true)
        else { return }
        try report(
            Self.revoked(publisher, signing: origin), of: identifier, keepingTrust: keepingTrust)
    }

    private func report(_ reason: String, of identifier: String, keepingTrust: Bool) throws {
        guard !keepingTrust else {
            throw HostError(
                .badRequest,
                "\(reason), and the installed version is kept; use edithost extensions install "
                    + "--replace to replace it anyway", extension: identifier)
        }
        logger.warning(
            "\(reason); to trust it, use edithost extensions trust \(identifier)")
    }

    private static func revoked(_ publisher: PublisherKey, signing origin: String) -> String {
        "the publisher \(publisher.name), who signed the build in \(origin), is no longer trusted, so "
            + "this build is not trusted"
    }

    /// Returns why a new build will be untrusted although the installed one is trusted, or although a trusted publisher
    /// signed it; nil otherwise.
    private func distrust(
        of binary: ExtensionBinary, signedBy publisher: PublisherKey?, from origin: String
    ) -> String? {
        let identifier = binary.manifest.identifier
        let current = extensions.catalogue.all.filter { $0.identifier == identifier }
        // A copy in the user's folder may precede the one that is part of edithost.
        let isShipped = current.contains { extensions.status(of: $0)?.trust == .shipped }
        let isTrusted =
            current.first { $0.status == .available }
            .flatMap { extensions.status(of: $0) }.map { $0.trust != .none } ?? false
        guard !binary.isTrusted, isTrusted || publisher != nil else { return nil }
        if let publisher, !isShipped, extensions.trust.accepts(publisher, of: identifier) {
            return nil
        }
        guard isShipped || extensions.trust.trustsAnotherBuild(of: identifier) else {
            return publisher.map { Self.revoked($0, signing: origin) }
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
        // A trusted build can have been removed or changed since.
        let subject = isShipped || isTrusted ? identifier : "an earlier build of \(identifier)"
        return
            "\(subject) \(earlier), but the build in \(origin) \(new), so this build is not trusted"
    }
}
