// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The contract of 1.0 stays unchanged if a later version appends to it.
@Suite("frozen header")
struct FrozenHeaderTests {
    private static let hint: Comment = """
        1.0 is final: what it declares is never changed, nor is its copy in Tests/TestSupport/FrozenHeader. \
        A later version raises EE_ABI_MINOR and appends (docs/design/architecture.md).
        """

    @Test("the 1.0 header equals the frozen one, byte for byte")
    func bytes() throws {
        let path = "\(try ContractHeader.frozen.folder)/editing_extension.h"
        let result = try runProgram("/usr/bin/env", ["sha256sum", path])
        #expect(result.output.hasPrefix(Self.digest), Self.hint)
    }

    /// The SHA-256 of the header of 1.0.
    private static let digest = "d3fd4d82f1daf924346c4030628bef70e9ca8d4d0bad3c56423f0417e04449ab"

    @Test("the structures of 1.0 are prefixes of the current ones")
    func beginnings() throws {
        let frozen = ContractStructure.all(in: try ContractHeader.frozen.text)
        let header = try ContractHeader.current.text
        let current = Dictionary(
            uniqueKeysWithValues: ContractStructure.all(in: header).map { ($0.name, $0.members) })
        #expect(frozen.contains { $0.name == "ee_input" && $0.members.count > 10 })
        let constants = ContractStructure.constants(in: header)
        for structure in frozen {
            let members = try #require(current[structure.name], "\(structure.name)")
            if constants["EE_ABI_MINOR"] == "0" || !Self.canGrow(structure) {
                #expect(members == structure.members, Self.hint)
            } else {
                #expect(Array(members.prefix(structure.members.count)) == structure.members)
            }
        }
        if constants["EE_ABI_MINOR"] == "0" {
            #expect(Set(current.keys) == Set(frozen.map(\.name)), Self.hint)
        }
    }

    @Test("extensible structures start with their size; the recipe and the error never grow")
    func sizes() throws {
        for structure in ContractStructure.all(in: try ContractHeader.current.text) {
            let isFixed = ["ee_adjustment", "ee_error"].contains(structure.name)
            #expect(Self.canGrow(structure) == !isFixed, "\(structure.name)")
        }
    }

    private static func canGrow(_ structure: ContractStructure) -> Bool {
        structure.members.first == "uint32_t struct_size"
    }

    @Test("the constants of 1.0 have their values")
    func constants() throws {
        let current = ContractStructure.constants(in: try ContractHeader.current.text)
        let frozen = ContractStructure.constants(in: try ContractHeader.frozen.text)
        #expect(frozen["EE_ABI_MAJOR"] == "1")
        for (name, value) in frozen where name != "EE_ABI_MINOR" {
            #expect(current[name] == value, Self.hint)
        }
    }

    @Test("the host states the version of the header")
    func hostVersion() throws {
        let current = ContractStructure.constants(in: try ContractHeader.current.text)
        let host = try String(
            contentsOfFile: "\(BuildProducts.packageFolder)/Sources/RunnerHost/HostVersion.swift",
            encoding: .utf8)
        for (name, constant) in [("abiMajor", "EE_ABI_MAJOR"), ("abiMinor", "EE_ABI_MINOR")] {
            let value = try #require(current[constant])
            #expect(host.contains("let \(name) = \(value)\n"))
        }
    }

    @Test(
        "the sizes of 1.0 are those of the frozen structures",
        arguments: ContractHeader.allCases)
    func sizesOfOne(_ header: ContractHeader) throws {
        let names = ContractStructure.all(in: try ContractHeader.frozen.text)
            .filter(Self.canGrow).map(\.name)
        let sizes = try Self.numbers(names.map { "sizeof(\($0))" }, with: .frozen)
        let constants = try Self.numbers(
            names.map { "\($0.uppercased())_SIZE_1_0" }, with: header)
        #expect(constants == sizes, Self.hint)
    }

    /// The values of expressions in a C program.
    private static func numbers(
        _ expressions: [String], with header: ContractHeader
    ) throws -> [Int?] {
        let folder = try TemporaryFolder()
        let lines = expressions.map { "printf(\"%zu\\n\", (size_t)(\($0)));" }
        let source =
            "#include <editing_extension.h>\n#include <stdio.h>\nint main(void) {"
            + lines.joined(separator: "\n") + "return 0; }\n"
        try folder.write(Data(source.utf8), to: "sizes.c")
        let made = try runProgram(
            "/usr/bin/env",
            [
                "cc", "-std=c11", "-I", try header.folder, "-o", folder.file("sizes"),
                folder.file("sizes.c"),
            ])
        #expect(made.status == 0, "\(made.errors)")
        return try runProgram(folder.file("sizes"), []).output.split(separator: "\n").map {
            Int($0)
        }
    }
}
