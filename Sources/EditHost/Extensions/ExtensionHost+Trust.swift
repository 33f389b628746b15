// SPDX-License-Identifier: Apache-2.0

import RunnerHost

extension ExtensionHost {
    /// Allows the current build of an untrusted extension to read the originals of the assets that it edits. A
    /// trusted extension may read them anyway.
    ///
    /// The permission applies to hosts created afterwards.
    ///
    /// - Parameter name: Its identifier, or the unique last component of it.
    /// - Throws: `HostError`, with `badRequest` if its manifest does not request originals.
    package func allowOriginals(toExtensionNamed name: String) throws -> InstalledExtension {
        let installed = try extensions.catalogue.installed(named: name)
        let binary = try extensions.read(installed)
        guard binary.manifest.readsOriginal || binary.isTrusted else {
            throw HostError(
                .badRequest,
                "\(installed.identifier) does not ask for originals; its manifest has no "
                    + "readsOriginal", extension: installed.identifier)
        }
        if !binary.isTrusted {
            try extensions.trust.allowOriginals(to: binary.digest, of: installed.identifier)
        }
        return installed
    }

    /// Revokes the permission to read originals, for hosts created afterwards.
    ///
    /// - Parameter name: Its identifier, or the unique last component of it if it is installed.
    /// - Returns: Its identifier.
    /// - Throws: `HostError` with `badRequest` if it has no such permission.
    package func forbidOriginals(toExtensionNamed name: String) throws -> String {
        let identifier = (try? extensions.catalogue.installed(named: name))?.identifier ?? name
        guard try extensions.trust.forbidOriginals(to: identifier) else {
            throw HostError(
                .badRequest,
                "\(identifier) is not allowed to read originals, so there is "
                    + "nothing to forbid",
                extension: identifier)
        }
        return identifier
    }

    /// Trusts the current build of an extension for the user: this manifest, library and `hashedFiles` only.
    ///
    /// Shipped extensions are always trusted. The change applies to hosts created afterwards, because a host
    /// reads an extension's trust once.
    ///
    /// - Parameter name: Its identifier, or the unique last component of it.
    /// - Throws: `HostError`.
    package func trust(extensionNamed name: String) throws -> InstalledExtension {
        let installed = try extensions.catalogue.installed(named: name)
        let binary = try extensions.read(installed)
        if binary.trust != .shipped {
            try extensions.trust.trust(binary.digest, of: installed.identifier)
        }
        return installed
    }

    /// Withdraws the user's trust in an extension, which need not be installed.
    ///
    /// The change applies to hosts created afterwards. A host that has read the extension continues to trust
    /// it.
    ///
    /// - Parameter name: Its identifier, or the unique last component of it if it is installed.
    /// - Returns: Its identifier.
    /// - Throws: `HostError` with `badRequest` if the user does not trust it.
    package func withdrawTrust(fromExtensionNamed name: String) throws -> String {
        let identifier = (try? extensions.catalogue.installed(named: name))?.identifier ?? name
        guard try extensions.trust.withdraw(from: identifier) else {
            let isShipped = extensions.catalogue.available.contains {
                $0.identifier == identifier && extensions.status(of: $0)?.trust == .shipped
            }
            throw HostError(
                .badRequest,
                isShipped
                    ? "\(identifier) is part of edithost and always trusted"
                    : "\(identifier) is not trusted, so there is nothing to withdraw",
                extension: identifier)
        }
        return identifier
    }
}
