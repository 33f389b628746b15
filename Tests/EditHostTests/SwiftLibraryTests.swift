// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// A Swift library shared by several manifests, and long work in Swift.
@Suite("Swift libraries of several extensions")
struct SwiftLibraryTests {
    private static let words = ["gentle", "strong", "bridgedone", "bridgedtwofold"]
    private static let picture = TestPicture.plain(width: 64, height: 48)

    private static func build(in folder: String) throws {
        try TestExtension.buildSwift("Family", in: folder)
        for word in words {
            let target = "\(folder)/\(word).editingextension"
            try FileManager.default.createDirectory(
                atPath: target, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: "\(folder)/family.editingextension/libfamily.so",
                toPath: "\(target)/libfamily.so")
            let format: [String: Any] = ["formatIdentifier": "org.example.\(word)"]
            let endless: [String: Any] = [
                "name": "isEndless", "type": "boolean", "default": false,
            ]
            let manifest: [String: Any] = [
                "identifier": "org.example.\(word)", "name": word, "version": "1.0",
                "abi": "1.0", "library": "libfamily.so", "supportedMediaTypes": ["image"],
                "reads": [format], "writes": [format],
                "parameters": word == "gentle" ? [endless] : [],
            ]
            try JSONSerialization.data(withJSONObject: manifest)
                .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
        }
    }

    @Test(
        "each manifest gets its own filter, and a bridge serves all of its own",
        arguments: [true, false])
    func several(isTrusted: Bool) async throws {
        let studio = try TestStudio(extensions: Self.build, trusted: isTrusted)
        let asset = try await studio.add(Self.picture)
        var sum = 0
        for (word, amount) in zip(Self.words, [5, 9, 22, 26]) {
            #expect(try await studio.edit(asset, word).status == .committed)
            sum += amount
            #expect(try studio.current(asset) == Self.picture.adding(sum), "\(word)")
        }
        // The whole chain is re-rendered from its recipes.
        try await studio.host.rerender([asset], in: studio.library, force: true, jobs: 1) {
            #expect($0.status == .rendered, "\($0.reason)")
        }
        #expect(try studio.current(asset) == Self.picture.adding(sum))
        // The library does not serve the identifier that it was built with.
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "family")
        }
        #expect(error?.code == .unusableExtension)
        let said =
            "the library serves org.example.gentle, org.example.strong, not org.example.family"
        #expect(studio.log.lines.contains { $0.contains(said) })
        await studio.host.shutDown()
    }

    @Test("a filter gets time, threads and temporary space, and reports progress")
    func work() async throws {
        let studio = try TestStudio(extensions: Self.build, trusted: false)
        let asset = try await studio.add(Self.picture)
        let told = Mutex<[Double]>([])
        _ = try await studio.host.edit(
            [asset], EditRequest(extensionName: "gentle"), in: studio.library
        ) { identifier, progress in
            told.withLock { $0.append(identifier == asset ? progress.fraction : -1) }
        }
        let lines = studio.log.lines
        #expect(lines.contains { $0.hasSuffix("time 0.0 of 0.0, cancelled false, threads true") })
        #expect(lines.contains { $0.contains("3 bytes of ") && !$0.contains("any number") })
        // While the handler is running, only the latest progress is kept.
        #expect(told.withLock { $0 } == [0.25, 1] || told.withLock { $0 } == [1])
        await studio.host.shutDown()
    }

    @Test("a filter that checks for cancellation stops", arguments: [true, false])
    func cancellation(isTrusted: Bool) async throws {
        let studio = try TestStudio(extensions: Self.build, trusted: isTrusted)
        let asset = try await studio.add(Self.picture)
        let cancellation = EditCancellation()
        let edit = Task {
            try await studio.host.edit(
                [asset], EditRequest(extensionName: "gentle", values: ["isEndless": "true"]),
                in: studio.library, cancellation: cancellation)
        }
        try await studio.log.wait { $0.contains("3 bytes of ") }
        await cancellation.cancel()
        let error = await #expect(throws: HostError.self) { try await edit.value }
        #expect(error?.code == .cancelled)
        try await studio.log.wait { $0.hasSuffix("has seen that it is cancelled: true") }
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        await studio.host.shutDown()
    }
}
