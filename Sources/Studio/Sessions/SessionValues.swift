// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel

/// The values of parameters in requests and responses.
enum SessionValues {
    /// The prefix of the values that name files by their hashes.
    private static let prefix = "sha256:"

    /// Returns values that a session accepts. A request cannot name the path of a file: a file is one that the
    /// extension bundles, that the session already has, or that was uploaded.
    ///
    /// - Throws: `HostError` with `badParameter` for any other file.
    static func accepted(
        _ values: [String: ParameterValue], by session: EditingSession, having known: Set<String>,
        _ uploads: UploadedFiles, of login: Login
    ) throws -> [String: ParameterValue] {
        var accepted = values
        for parameter in session.manifest.parameters where parameter.type == .file {
            guard case .string(let text)? = values[parameter.name], !text.isEmpty,
                !session.manifest.hashedFiles.contains(text)
            else { continue }
            let hash = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
            if known.contains(prefix + hash) {
                accepted[parameter.name] = .string(prefix + hash)
            } else if let path = uploads.path(of: hash, login) {
                accepted[parameter.name] = .string(path)
            } else {
                throw HostError(
                    .badParameter,
                    "the parameter \(parameter.name): the file is unknown; upload it",
                    extension: session.manifest.identifier)
            }
        }
        return accepted
    }

    /// Returns the values that name files by their hashes.
    static func files(
        in values: [String: ParameterValue], of manifest: ExtensionManifest
    ) -> Set<String> {
        let files = manifest.parameters.filter { $0.type == .file }.compactMap { parameter in
            if case .string(let text)? = values[parameter.name] { text } else { nil }
        }
        return Set(files.filter { $0.hasPrefix(prefix) })
    }

    /// Returns the values of all parameters.
    static func all(of session: EditingSession) -> [String: ParameterValue] {
        var values = session.manifest.defaultValues
        for parameter in session.manifest.parameters {
            guard let reported = session.parameters[parameter.name] else { continue }
            // A colour may be reported without alpha, which default values have.
            values[parameter.name] = (try? parameter.checked(reported)) ?? reported
        }
        return values
    }

    /// Returns the values that the extension has changed itself: those that differ from the value that was set, or
    /// from the earlier value if none was set.
    static func changed(
        from before: [String: ParameterValue], setting values: [String: ParameterValue],
        to after: [String: ParameterValue], of manifest: ExtensionManifest
    ) -> [String: ParameterValue] {
        let expected = before.merging(values) { _, new in new }
        return after.filter { name, value in
            guard let parameter = manifest.parameter(named: name), parameter.type != .file else {
                return false
            }
            guard let expectedValue = expected[name] else { return true }
            // A number may be reported as an integer, and a colour in a different form.
            return ((try? parameter.checked(value)) ?? value)
                != ((try? parameter.checked(expectedValue)) ?? expectedValue)
        }
    }
}
