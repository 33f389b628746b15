// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ExtensionManifest {
    /// The JSON members that describe the publisher and the purpose of the extension.
    package var catalogueRow: JSONRow {
        [
            "vendor": vendor, "author": author, "homepage": homepage, "support": support,
            "license": license, "description": description, "categories": categories, "icon": icon,
        ]
    }

    /// The JSON members about the contract, the parameters and the presets of the extension.
    package var row: JSONRow {
        [
            "abi": abi,
            "minimumHost": minimumHost,
            "supportedMediaTypes": supportedMediaTypes.map(\.name),
            "reads": reads.map(\.text),
            "writes": writes.map(\.text),
            "upgrades": upgrades.map(\.text),
            "access": access.rawValue,
            "readsOriginal": readsOriginal,
            "contentBound": contentBound,
            "expensive": expensive,
            "parameters": parameters,
            "presets": presets,
        ]
    }
}
