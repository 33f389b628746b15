// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Glibc
import TestSupport
import Testing

/// The user's presets as files.
@Suite("preset folder")
struct PresetFolderTests {
    private let temporary: TemporaryFolder
    private let folder: PresetFolder

    init() throws {
        temporary = try TemporaryFolder()
        var configuration = HostConfiguration(runnerExecutable: "", extensionFolders: [])
        configuration.configurationFolder = temporary.path
        folder = try PresetFolder(configuration)
    }

    private func preset(_ recipe: String) -> EditPreset {
        EditPreset(steps: [
            EditPreset.Step(
                extensionIdentifier: "org.example.warm", extensionVersion: "1",
                adjustmentData: AdjustmentData(
                    formatIdentifier: "org.example.warm", formatVersion: "1",
                    data: Data(recipe.utf8)))
        ])
    }

    @Test("a preset is renamed, also to a name that differs only in case")
    func renamed() throws {
        try folder.save(preset("a"), as: "warm")
        for (old, new) in [("warm", "Warm"), ("warm", "cold"), ("COLD", "warm")] {
            try folder.rename(old, to: new)
            #expect(try folder.names == [new])
            #expect(try folder.preset(named: new) == preset("a"))
        }
    }

    @Test("renaming a preset does not replace another one")
    func taken() throws {
        for name in ["cold", "warm"] { try folder.save(preset(name), as: name) }
        for other in ["cold", "COLD", "warm"] {
            let error = #expect(throws: HostError.self) { try folder.rename("warm", to: other) }
            #expect(error?.code == .badRequest, "\(other)")
        }
        #expect(try folder.names == ["cold", "warm"])
        for name in ["cold", "warm"] {
            #expect(try folder.preset(named: name) == preset(name))
        }
    }

    @Test("renaming a preset does not replace a file that is created at the same time")
    func createdConcurrently() async throws {
        for _ in 0..<200 {
            try folder.save(preset("a"), as: "warm")
            let path = folder.path + "/WARM.json"
            async let isCreated = Task.detached {
                let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
                return descriptor >= 0 && close(descriptor) == 0
            }.value
            let isRenamed = (try? folder.rename("warm", to: "WARM")) != nil
            let isOther = await isCreated
            #expect(isRenamed != isOther)
            for name in try folder.names { try folder.remove(name) }
        }
    }
}
