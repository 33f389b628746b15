// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// The user's configuration is read strictly.
@Suite("configuration file")
struct ConfigurationFileTests {
    private static func read(_ text: String) throws -> ExtensionBudgets {
        let folder = try TemporaryFolder()
        var configuration = HostConfiguration(runnerExecutable: "", extensionFolders: [])
        try folder.write(Data(text.utf8), to: "config.json")
        configuration.configurationFolder = folder.path
        try configuration.readConfigurationFile()
        return configuration.budgets
    }

    @Test("a missing value falls back to the default entry, then to the built-in value")
    func inheritance() throws {
        let budgets = try Self.read(
            """
            { "budgets": {
                "org.example.x": { "memoryBytes": 1073741824, "wallClockSeconds": 20 },
                "default": { "cpuSeconds": 60, "outputBytes": 1048576, "threads": 32 } } }
            """)
        let listed = budgets.budget(for: "org.example.x")
        #expect(listed.memory == 1 << 30)
        #expect(listed.wallClock == .seconds(20))
        #expect(listed.processorSeconds == 60)
        let other = budgets.budget(for: "org.example.y")
        #expect(other.memory == ExtensionBudget().memory)
        #expect(other.wallClock == nil)
        #expect(other.outputBytes == 1 << 20)
        #expect(other.threads == 32)
    }

    @Test("a missing file and an empty object change nothing")
    func nothing() throws {
        var configuration = HostConfiguration(runnerExecutable: "", extensionFolders: [])
        try configuration.readConfigurationFile()
        configuration.configurationFolder = "/nonexistent"
        try configuration.readConfigurationFile()
        #expect(configuration.budgets == ExtensionBudgets())
        #expect(try Self.read("{}") == ExtensionBudgets())
        #expect(try Self.read("{\"budgets\": {}}") == ExtensionBudgets())
    }

    @Test(
        "an invalid value is an error that names the key",
        arguments: [
            ("", "config.json: is not valid JSON"), ("[]", "the content must be an object"),
            ("{\"budgets\": {\"\\ud800\": {}}}", "config.json: is not valid JSON"),
            ("{\"budget\": {}}", "budget is unknown; use one of budgets"),
            ("{\"budgets\": 1}", "budgets must be an object"),
            ("{\"budgets\": {\"default\": []}}", "budgets.default must be an object"),
            (
                "{\"budgets\": {\"default\": {\"memory\": 1}}}",
                "budgets.default.memory is unknown; use one of memoryBytes, cpuSeconds"
            ),
            (
                "{\"budgets\": {\"org.example.x\": {\"cpuSeconds\": \"60\"}}}",
                "budgets.org.example.x.cpuSeconds must be a whole number"
            ),
            (
                "{\"budgets\": {\"org.example.x\": {\"threads\": 1}}}",
                "budgets.org.example.x.threads must be from 16 to 32768"
            ),
            (
                "{\"budgets\": {\"default\": {\"cpuSeconds\": 1.5}}}",
                "budgets.default.cpuSeconds"
            ),
            ("{\"budgets\": {\"default\": {\"threads\": null}}}", "budgets.default.threads"),
        ])
    func mistakes(text: String, words: String) throws {
        let error = #expect(throws: HostError.self) { try Self.read(text) }
        #expect(error?.code == .badConfiguration)
        #expect(error?.description.contains(words) == true, "\(error as Any)")
    }

    @Test("the file is in XDG_CONFIG_HOME, otherwise in .config")
    func place() {
        func file(_ environment: [String: String]) -> String? {
            HostConfiguration.standard(executable: "/bin/x", environment: environment)
                .configurationFile
        }
        #expect(file(["XDG_CONFIG_HOME": "/x"]) == "/x/edithost/config.json")
        #expect(file(["HOME": "/h"]) == "/h/.config/edithost/config.json")
    }
}
