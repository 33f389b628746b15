// SPDX-License-Identifier: Apache-2.0

import EditHost
import Hummingbird
import JSONOutput
import Library

extension StudioRoutes {
    /// Adds the requests for presets and extensions.
    func addExtensions(to router: Router<StudioContext>) {
        router.get("/api/presets") { _, _ -> Response in try .json(["presets": presetRows()]) }
        router.get("/api/extensions") { request, _ -> Response in
            guard let identifier = Query(request).text("for") else {
                return try .json(["extensions": extensionRows()])
            }
            let answers = try await host.answers(for: identifier, in: library)
            return try .json(["extensions": answers.map(row)])
        }
    }

    private func presetRows() throws -> [JSONRow] {
        let folder = try PresetFolder(host.configuration)
        // A damaged preset is skipped here. The command lists it, with its error.
        let own = try folder.names.compactMap { name in
            (try? folder.preset(named: name))?.row(named: name)
        }
        return own + host.offeredPresets.map(\.row)
    }

    private func extensionRows() -> [JSONRow] {
        host.extensions.catalogue.all.map { row(of: host.extensions.examined($0)) }
    }

    /// Returns the JSON that `extensions` prints about an extension.
    func row(of installed: InstalledExtension) -> JSONRow {
        installed.row(reason: installed.reason)
            .adding(host.extensions.status(of: installed)?.row)
            .adding(installed.manifest?.catalogueRow).adding(installed.manifest?.row)
    }

    private func row(of answer: ExtensionAnswer) -> JSONRow {
        let installed = answer.installed
        return installed.row(reason: answer.reason)
            .adding(["supported": answer.isSupported, "canHandle": answer.canHandle])
            .adding(host.extensions.status(of: installed)?.row)
            .adding(installed.manifest?.catalogueRow).adding(installed.manifest?.row)
    }
}
