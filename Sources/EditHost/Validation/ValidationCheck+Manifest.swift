// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost

/// Checks of the manifest, which load no code.
extension ValidationCheck {
    static let manifestChecks: [ValidationCheck] = [
        ValidationCheck(
            "manifest",
            "The manifest can be read, and the library that it names is built for this system; "
                + "otherwise the extension is not usable."
        ) { context in
            let examined = ExtensionCatalogue.examine(context.folder)
            guard examined.status == .available else {
                throw ValidationFinding.failure(examined.reason ?? "it cannot be used")
            }
        },
        ValidationCheck(
            "manifest-keys",
            "The manifest has no unknown keys or roles, which are ignored: a misspelt one has no "
                + "effect.",
            requires: ["manifest"]
        ) { context in
            let json = try context.manifestBytes
            let unknown = ExtensionManifest.unknownKeys(in: json).map(\.message)
            let roles = try ExtensionManifest(json: json).unknownRoles
            guard unknown.isEmpty, roles.isEmpty else {
                throw ValidationFinding.failure((unknown + roles).joined(separator: "; "))
            }
        },
        ValidationCheck(
            "manifest-formats",
            "Identifiers are in reverse DNS, versions are numbers, and every format that is "
                + "written is read, so that edits can be continued.",
            requires: ["manifest"]
        ) { context in
            try checkFormats(of: try ExtensionManifest(json: context.manifestBytes))
        },
        ValidationCheck(
            "manifest-publication",
            "The manifest states the publisher, the licence and the purpose of the extension, which "
                + "users need before they install it.",
            requires: ["manifest"]
        ) { context in
            try checkPublication(of: try ExtensionManifest(json: context.manifestBytes))
        },
    ]

    private static func checkPublication(of manifest: ExtensionManifest) throws {
        let keys = [
            ("\"vendor\" or \"author\"", manifest.vendor != nil || manifest.author != nil),
            ("\"license\"", manifest.license != nil),
            ("\"description\"", manifest.description != nil),
        ]
        let missing = keys.filter { !$0.1 }.map(\.0)
        guard missing.isEmpty else {
            throw ValidationFinding.warning(
                "the manifest has no \(missing.joined(separator: ", no ")); extensions show prints "
                    + "these keys")
        }
    }

    private static func checkFormats(of manifest: ExtensionManifest) throws {
        try checkIdentifier(manifest.identifier)
        try checkExtensionVersion(manifest.version)
        guard !manifest.writes.isEmpty else {
            throw ValidationFinding.failure(
                "\"writes\" is missing or empty; list the formats of the recipes that the "
                    + "extension writes")
        }
        for format in manifest.writes {
            try checkIdentifier(format.formatIdentifier)
            for version in format.formatVersions ?? [] { try checkVersion(version, "writes") }
            guard manifest.reads.contains(where: { $0.covers(format) }) else {
                throw ValidationFinding.failure(
                    "\"reads\" does not include the format \(format.formatIdentifier) that the "
                        + "extension writes, so its edits cannot be continued; add it")
            }
        }
    }

    private static func checkIdentifier(_ identifier: String) throws {
        let parts = identifier.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
                }
        }
        guard isPlain, parts.count > 1 else {
            throw ValidationFinding.failure(
                "\"\(identifier)\" is not in reverse-DNS form, such as com.example.invert")
        }
    }

    /// Accepts a version with a pre-release or build, as ``ExtensionIndex`` compares it.
    private static func checkExtensionVersion(_ version: String) throws {
        let additions = /[-+][0-9A-Za-z.+-]+/
        try checkVersion(
            String(version.replacing(additions, with: "", maxReplacements: 1)), "version")
    }

    private static func checkVersion(_ version: String, _ key: String) throws {
        guard version.wholeMatch(of: /\d+(\.\d+)*/) != nil else {
            throw ValidationFinding.failure(
                "the version \"\(version)\" in \"\(key)\" is not made of numbers with dots, such "
                    + "as 1.0, so that versions can be compared")
        }
    }
}

extension AdjustmentFormat {
    /// Whether all versions of another format are versions of this one.
    fileprivate func covers(_ other: AdjustmentFormat) -> Bool {
        guard formatIdentifier == other.formatIdentifier else { return false }
        guard let formatVersions else { return true }
        return other.formatVersions.map { $0.allSatisfy(formatVersions.contains) } ?? false
    }
}

extension ExtensionManifest {
    /// The unknown roles, each with its parameter and the most similar known role.
    fileprivate var unknownRoles: [String] {
        let known = ParameterRole.known.map(\.rawValue)
        return parameters.compactMap { parameter in
            guard let role = parameter.role?.rawValue, !known.contains(role) else { return nil }
            return "the role \"\(role)\" of the parameter \(parameter.name) is unknown and "
                + "ignored\(role.closest(among: known).suggestion)"
        }
    }
}
