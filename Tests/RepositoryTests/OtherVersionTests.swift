// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Plug-ins in hosts of another version. The structures of these hosts end before an unreadable
/// page, so that reading beyond them crashes.
@Suite("hosts and plug-ins of other versions")
struct OtherVersionTests {
    private static let pairs = [ContractHeader.frozen, .later].flatMap { host in
        ContractHeader.allCases.map { (host, $0) }
    }

    @Test("a C plug-in edits in an older and a newer host", arguments: pairs)
    func c(_ host: ContractHeader, _ plugin: ContractHeader) throws {
        let folder = try TemporaryFolder()
        let library = folder.file("libgrowth.so")
        try TestExtension.compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/growth.c", to: library,
            header: plugin)
        let lines = try Self.run(host, library)
        // If both support the members of a later version, the values 10, 20, 30 and 40 have arrived.
        let told = host == .later && plugin == .later
        #expect(lines.contains("can_handle 0"))
        #expect(lines.contains("recipe org.example.growth 1.0 1"))
        #expect(lines.contains(told ? "preview 161" : "preview 101"))
        #expect(lines.contains(told ? "pixel 161" : "pixel 101"))
        if host == .later { #expect(lines.contains(told ? "output 7" : "output 0")) }
    }

    /// The Swift module requires the header of its own version, not an older one.
    @Test(
        "a Swift plug-in edits in an older and a newer host",
        arguments: pairs.filter { $0.1 != .frozen })
    func swift(_ host: ContractHeader, _ plugin: ContractHeader) throws {
        let folder = try TemporaryFolder()
        let library = folder.file("libhonest.so")
        let source = "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/Honest.swift"
        if plugin == .current {
            try TestExtension.compileSwift(source, to: library)
        } else {
            try TestExtension.compileSwift(source, to: library, header: plugin)
        }
        let lines = try Self.run(host, library)
        #expect(lines.contains("can_handle 0"))
        #expect(lines.contains("recipe org.example.honestswift 1.0 1"))
        #expect(lines.contains("preview 100"))
        #expect(lines.contains("pixel 155"))
    }

    /// Runs an edit with a plug-in in a host of a version, and returns the lines that it prints.
    private static func run(_ host: ContractHeader, _ library: String) throws -> [Substring] {
        let program = try TestExtension.program("stub_host", header: host)
        let result = try runProgram(program, [library])
        #expect(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n")
    }
}
