// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Testing

/// Error messages for invalid extension libraries.
@Suite struct LoadingTests {
    private static let cases: [([String: String], String)] = [
        (["WITHOUT_ENTRY": ""], "no symbol editing_extension_entry"),
        (
            ["editing_extension_entry": "_Z23editing_extension_entryPK7ee_host"],
            "but the C++ function _Z23editing_extension_entryPK7ee_host; declare it extern \"C\""
        ),
        (
            ["editing_extension_entry": "$s4Fade23editing_extension_entryyyF"],
            "mark the function @c(editing_extension_entry)"
        ),
        (["editing_extension_entry": "edit_extension_entry"], "but edit_extension_entry; rename"),
        (["vips_invert": "undefined_function"], "undefined symbol: undefined_function; link"),
        (
            ["ABI": "2"],
            "was built for version 2 of the contract with extensions; this host supports 1."
        ),
        (["IDENTIFIER": "\"org.example.other\""], "in the library is org.example.other"),
        (["WITHOUT_PREVIEW": ""], "no function render_preview"),
    ]

    @Test("a library that differs from its announcement is rejected", arguments: cases)
    func refused(_ definitions: [String: String], _ words: String) throws {
        let runner = try TestRunner()
        let reply = try runner.loadRecorder(definitions: definitions)
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .badExtension)
        #expect(failure.message.contains(words))
        #expect(failure.extensionIdentifier == "org.example.recorder")
    }

    @Test("a rejected garbage library does not expose the name of a descriptor")
    func garbage() throws {
        let runner = try TestRunner()
        let file = try TestFile(Array("not a library".utf8))
        let reply = try runner.request(
            .load(try .recorder([.rgb8])), [(.library, file.number)])
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .badExtension)
        #expect(!failure.message.contains("/proc"))
    }
}
