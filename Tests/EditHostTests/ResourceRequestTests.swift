// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Requests for the bytes of resources: progress, handlers, cancellation.
@Suite("resource requests")
struct ResourceRequestTests {
    private let studio: TestStudio
    private let manager: AssetResourceManager
    /// Two and a half chunks.
    private let bytes = Data((0..<AssetResourceManager.chunkSize * 5 / 2).map { UInt8($0 % 251) })
    private let resource: AssetResource

    init() async throws {
        studio = try TestStudio()
        manager = AssetResourceManager(host: studio.host, library: studio.library)
        studio.host.attach(to: studio.library)
        let picture = try TestPicture.gradient().encoded()
        let made = Mutex<String?>(nil)
        let bytes = bytes
        try await studio.library.performChanges {
            let request = try AssetCreationRequest.forAsset()
            try request.addResource(with: .photo, data: picture)
            try request.addResource(with: .adjustmentBasePhoto, data: bytes)
            made.withLock { $0 = request.placeholderForCreatedAsset.localIdentifier }
        }
        let asset = try studio.asset(#require(made.withLock { $0 }))
        resource = try #require(
            try AssetResource.assetResources(for: asset, in: studio.library)
                .first { $0.size == bytes.count })
    }

    /// Options that record the reported progress.
    private final class Progress: Sendable {
        let told = Mutex<[Double]>([])
        var values: [Double] { told.withLock { $0 } }

        var options: AssetResourceRequestOptions {
            var options = AssetResourceRequestOptions()
            options.progressHandler = { [self] value in told.withLock { $0.append(value) } }
            return options
        }
    }

    @Test("progress rises with the bytes from 0 to 1, for data and files")
    func progress() async throws {
        #expect(!AssetResourceRequestOptions().isNetworkAccessAllowed)
        let reading = Progress()
        var read = Data()
        try await manager.requestData(for: resource, options: reading.options) { read += $0 }
        #expect(read == bytes)
        #expect(reading.values == [0, 0.4, 0.8, 1])

        let writing = Progress()
        let url = URL(fileURLWithPath: studio.folder.file("out"))
        try await manager.writeData(for: resource, toFile: url, options: writing.options)
        #expect(try Data(contentsOf: url) == bytes)
        #expect(writing.values == [0, 0.4, 0.8, 1])
        await studio.host.shutDown()
    }

    @Test("a failed request never reports progress 1")
    func failures() async throws {
        let reading = Progress()
        await #expect(throws: CancellationError.self) {
            try await manager.requestData(for: resource, options: reading.options) { _ in
                throw CancellationError()
            }
        }
        #expect(reading.values == [0])
        let url = URL(fileURLWithPath: try studio.folder.write(Data("x".utf8), to: "taken"))
        let writing = Progress()
        let error = await #expect(throws: HostError.self) {
            try await manager.writeData(for: resource, toFile: url, options: writing.options)
        }
        #expect(error?.code == .fileFailed && writing.values.last != 1)
        let web = try #require(URL(string: "https://example.org/x"))
        let remote = await #expect(throws: HostError.self) {
            try await manager.writeData(for: resource, toFile: web)
        }
        #expect(remote?.code == .badRequest)
        await studio.host.shutDown()
    }

    @Test("handlers get the bytes in order, then one answer")
    func handlers() async throws {
        let read = Mutex(Data())
        let error = await withCheckedContinuation { continuation in
            manager.requestData(for: resource, options: nil) { part in
                read.withLock { $0 += part }
            } completionHandler: { error in
                continuation.resume(returning: error)
            }
        }
        #expect(error == nil && read.withLock { $0 } == bytes)
        let url = URL(fileURLWithPath: studio.folder.file("out"))
        for isTaken in [false, true] {
            let error = await withCheckedContinuation { continuation in
                manager.writeData(for: resource, toFile: url, options: nil) {
                    continuation.resume(returning: $0)
                }
            }
            #expect((error as? HostError)?.code == (isTaken ? .fileFailed : nil))
        }
        #expect(try Data(contentsOf: url) == bytes)
        await studio.host.shutDown()
    }

    @Test("a cancelled request delivers no more bytes and is answered once")
    func cancelled() async throws {
        // The first chunk waits until the request has been cancelled.
        let (first, isGiven) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let count = Mutex(0)
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        let request = manager.requestData(for: resource, options: nil) { part in
            count.withLock { $0 += part.count }
            isGiven.yield()
            gate.wait()
        } completionHandler: { error in
            answer.yield(error is CancellationError)
            answer.finish()
        }
        for await _ in first { break }
        manager.cancelDataRequest(request)
        gate.signal()
        var answered: [Bool] = []
        for await isCancelled in answers { answered.append(isCancelled) }
        #expect(answered == [true])
        #expect(count.withLock { $0 } == AssetResourceManager.chunkSize)
        manager.cancelDataRequest(request)
        await studio.host.shutDown()
    }
}
