// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// How the host stands to an extension.
package struct ExtensionStanding: Sendable {
    /// Who trusts it.
    package let trust: ExtensionTrust.Level
    /// It is untrusted, but the user trusted an earlier build of it.
    package let wasTrusted: Bool
    /// Its failures since its last success; nil: none.
    package let failures: Quarantine.Entry?

    /// Whether it is not run until it is released.
    package var isQuarantined: Bool { failures?.isQuarantined ?? false }
}

extension ExtensionHost {
    /// How the host stands to an extension; nil where its library cannot be read.
    package func standing(of installed: InstalledExtension) -> ExtensionStanding? {
        guard installed.status != .unusable, let binary = try? extensions.read(installed) else {
            return nil
        }
        return ExtensionStanding(
            trust: binary.trust,
            wasTrusted: binary.trust == .none
                && extensions.trust.trustsAnotherBuild(of: installed.identifier),
            failures: quarantine.entry(of: binary.digest))
    }

    /// Trusts an extension as it is now, in the user's name: with this very manifest, library and
    /// `hashedFiles`, not another build of it. One that came with the host is trusted already.
    /// A host goes by what it knew when it first read an extension: this is for those made afterwards.
    ///
    /// - Parameter name: its identifier, or the unique last part of one.
    /// - Throws: `HostError`.
    package func trust(extensionNamed name: String) throws -> InstalledExtension {
        let installed = try extensions.catalogue.installed(named: name)
        let binary = try extensions.read(installed)
        if binary.trust != .shipped {
            try extensions.trust.trust(binary.digest, of: installed.identifier)
        }
        return installed
    }

    /// Takes back the user's trust in an extension, whether it is installed still or not, for hosts
    /// that are made afterwards; one that has read it goes on trusting it.
    ///
    /// - Parameter name: its identifier, or the unique last part of that of an installed one.
    /// - Returns: its identifier.
    /// - Throws: `HostError` with `badRequest` where the user does not trust it.
    package func withdrawTrust(fromExtensionNamed name: String) throws -> String {
        let identifier = (try? extensions.catalogue.installed(named: name))?.identifier ?? name
        guard try extensions.trust.withdraw(from: identifier) else {
            let isShipped = extensions.catalogue.available.contains {
                $0.identifier == identifier && standing(of: $0)?.trust == .shipped
            }
            throw HostError(
                .badRequest,
                isShipped
                    ? "\(identifier) came with edithost, which is trusted as a whole"
                    : "\(identifier) is not trusted by you", extension: identifier)
        }
        return identifier
    }
}
