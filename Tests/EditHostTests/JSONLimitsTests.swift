// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHost

/// The values of JSON files are counted before they are parsed.
@Suite("JSON limits")
struct JSONLimitsTests {
    private static func excess(_ text: String) -> String? {
        JSONLimits(bytes: 100, values: 4, depth: 2).excess(of: Data(text.utf8))
    }

    @Test("bytes, values and depth are limited, ignoring the contents of strings")
    func counting() {
        #expect(Self.excess(#"{"a":[1,2]}"#) == nil)
        #expect(Self.excess(#"{"a":[1,2,3]}"#) == "it has more than 4 values")
        #expect(Self.excess("[[1]]") == nil)
        #expect(Self.excess("[[[1]]]") == "its values are nested more than 2 levels deep")
        #expect(Self.excess(#"["[[[[\",,,,,,\\","{{{{::::"]"#) == nil)
        #expect(Self.excess(#"["\\",[[1]]]"#) == "its values are nested more than 2 levels deep")
        #expect(Self.excess("\"" + String(repeating: "x", count: 98) + "\"") == nil)
        #expect(Self.excess(String(repeating: " ", count: 101)) == "it is longer than 0 KiB")
        #expect(Self.excess("]][[") == nil)
    }

    @Test("presets and configuration with too many values are rejected before parsing")
    func files() throws {
        let folder = try TemporaryFolder()
        let many = "[" + String(repeating: "0,", count: 200_000) + "0]"
        let deep = String(repeating: "[", count: 5_000)
        let long = "\"" + String(repeating: "x", count: 17 << 20) + "\""
        for (text, words) in [(many, "more than"), (deep, "nested"), (long, "longer than")] {
            let path = try folder.write(
                Data(#"{"exportPreset":1,"x":\#(text)}"#.utf8), to: "p.json")
            let export = #expect(throws: HostError.self) { try ExportPreset(file: path) }
            #expect(export?.code == .badInput && export?.message.contains(words) == true)
            let edit = #expect(throws: HostError.self) { try EditPreset(file: path) }
            #expect(edit?.code == .badInput && edit?.message.contains(words) == true)
            var configuration = HostConfiguration(runnerExecutable: "", extensionFolders: [])
            try folder.write(Data(#"{"budgets":\#(text)}"#.utf8), to: "config.json")
            configuration.configurationFolder = folder.path
            let error = #expect(throws: HostError.self) {
                try configuration.readConfigurationFile()
            }
            #expect(error?.code == .badConfiguration && error?.message.contains(words) == true)
        }
    }
}
