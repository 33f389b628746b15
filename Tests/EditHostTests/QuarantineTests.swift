// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import RunnerHost
import TestSupport
import Testing

/// An extension that fails repeatedly is no longer run.
@Suite("quarantine", .serialized)
struct QuarantineTests {
    @Test(
        "three consecutive failures quarantine only that extension until it is released",
        arguments: [true, false])
    func quarantine(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildAdder(in: $0)
                try TestExtension.buildAdder("org.example.other", in: $0)
            }, trusted: isTrusted)
        let asset = try await studio.add(TestPicture.gradient())
        func crash() async -> HostError? {
            await #expect(throws: HostError.self) {
                try await studio.edit(asset, "adder", ["mode": "crash-finish"])
            }
        }
        for _ in 1...2 { #expect(await crash()?.code == .extensionFailed) }
        // A success resets the earlier failures.
        try await studio.edit(asset, "adder", ["amount": "1"])
        for _ in 1...Quarantine.limit { #expect(await crash()?.code == .extensionFailed) }
        let refused = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "adder", ["amount": "2"])
        }
        #expect(refused?.code == .unusableExtension)
        #expect(refused?.description.contains("quarantine") == true)
        #expect(refused?.description.contains("SIGSEGV") == true)
        #expect(try await studio.edit(asset, "other").status == .committed)

        // Another host has the same quarantine, and releases it for all hosts.
        let later = try studio.otherHost(trusted: isTrusted)
        let failed = later.quarantine.entries
        #expect(failed.map(\.identifier) == ["org.example.adder"])
        #expect(failed.map(\.isQuarantined) == [true])
        #expect(throws: HostError.self) { try later.quarantine.release("other") }
        #expect(try later.quarantine.release("adder").map(\.failures) == [Quarantine.limit])
        #expect(try await studio.edit(asset, "adder", ["amount": "2"]).status == .committed)
        #expect(studio.host.quarantine.entries == [])
        await studio.host.shutDown()
    }

    @Test("an error returned by an extension does not count towards quarantine")
    func returnedErrors() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(TestPicture.gradient())
        for _ in 1...4 {
            await #expect(throws: HostError.self) {
                try await studio.edit(asset, "adder", ["mode": "fail-finish"])
            }
        }
        #expect(studio.host.quarantine.entries == [])
        await studio.host.shutDown()
    }

    @Test("an undecodable input is not blamed on the extension")
    func brokenInput() async throws {
        for isTrusted in [true, false] {
            let studio = try TestStudio(trusted: isTrusted)
            let asset = try await studio.add(TestPicture.gradient())
            let original = try #require(try studio.library.history(ofAsset: asset).original?.blob)
            let path = studio.blobPath(original)
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            for content in [whole.prefix(whole.count / 2), Data()] {
                try FileManager.default.removeItem(atPath: path)
                try content.write(to: URL(fileURLWithPath: path))
                let error = await #expect(throws: (any Error).self) {
                    try await studio.edit(asset, "adder", ["amount": "2"])
                }
                #expect((error as? HostError)?.extensionIdentifier == nil)
            }
            #expect(studio.host.quarantine.entries == [])
            await studio.host.shutDown()
        }
    }

    @Test("a batch continues without an extension that failed for some of its photos")
    func batch() async throws {
        let studio = try TestStudio(trusted: false)
        var assets: [String] = []
        for shift in 0..<5 {
            assets.append(try await studio.add(TestPicture.gradient().adding(shift)))
        }
        let request = EditRequest(extensionName: "adder", values: ["mode": "crash-pixels"])
        var codes: [HostError.Code?] = []
        for asset in assets {
            let error = await #expect(throws: HostError.self) {
                try await studio.host.edit([asset], request, in: studio.library)
            }
            codes.append(error?.code)
        }
        #expect(codes.prefix(Quarantine.limit).allSatisfy { $0 == .extensionFailed })
        #expect(codes.dropFirst(Quarantine.limit).allSatisfy { $0 == .unusableExtension })
        await studio.host.shutDown()
    }
}
