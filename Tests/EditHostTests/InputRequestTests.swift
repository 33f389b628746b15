// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing
import Vips

@testable import EditHost
@testable import RunnerHost

/// Inputs for applications that edit without an extension.
@Suite("input requests")
struct InputRequestTests {
    @Test("E-07 K-04 the call returns first; the handler then gets properties, files and pixels")
    func handler() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient(bands: 4)
        let asset = try studio.asset(try await studio.add(picture))
        let hasReturned = Gate()
        var options = ContentEditingInputRequestOptions()
        options.progressHandler = { _, _ in hasReturned.wait() }
        let answers = Answers()
        let id = studio.host.requestContentEditingInput(
            for: asset, in: studio.library, options: options, completionHandler: answers.handler)
        #expect(answers.all.isEmpty)
        hasReturned.open()
        let answer = try await answers.wait()[0]
        #expect(answer.info.requestID == id)
        #expect(!answer.info.isCancelled && answer.info.error == nil)

        let input = try #require(answer.input)
        #expect(input.mediaType == .image)
        #expect(input.mediaSubtypes == asset.mediaSubtypes)
        #expect(input.creationDate == asset.creationDate)
        #expect(input.location == asset.location)
        #expect(input.uniformTypeIdentifier == "public.png")
        #expect(input.contentType == .png && input.playbackStyle == .image)
        #expect(input.adjustmentData == nil)
        #expect(input.audiovisualAsset == nil && input.livePhoto == nil)
        #expect(input.fullSizeImageOrientation == 1)
        #expect(try studio.fullSize(input) == picture)
        let display = try #require(input.displaySizeImage)
        #expect((display.width, display.height) == (picture.width, picture.height))
        #expect(display.pixelFormat == .rgba8)
        #expect(Array(display.data) == picture.samples)
        await studio.host.shutDown()
    }

    @Test("E-07 K-07 the full-size file is upright and private, and is removed with the input")
    func files() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let turned = try picture.encoded("tiff") { $0.set("orientation", to: 3) }
        let asset = try await studio.add(turned, named: "a.tif")
        var input: ContentEditingInput? = try await studio.input(asset)
        var output = input.map(ContentEditingOutput.init)
        let url = try #require(input?.fullSizeImageURL)
        #expect(try TestPicture(decoding: Data(contentsOf: url)) == picture.mirrored.upsideDown)
        let folder = url.deletingLastPathComponent().path
        let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions]
        #expect(mode as? Int == 0o700)
        #expect(try output?.renderedContentURL.path.hasPrefix(folder) == true)
        input = nil
        #expect(FileManager.default.fileExists(atPath: url.path))
        output = nil
        #expect(output == nil && !FileManager.default.fileExists(atPath: folder))
        await studio.host.shutDown()
    }

    @Test("E-07 the display image is at most 2048 pixels wide and high")
    func displaySize() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient(width: 4096, height: 20))
        let input = try await studio.host.requestContentEditingInput(
            for: studio.asset(asset), in: studio.library)
        let display = try #require(input.displaySizeImage)
        #expect((display.width, display.height) == (2048, 10))
        #expect(display.data.count == 2048 * 10 * 3)
        await studio.host.shutDown()
    }

    @Test("A-13 K-05 the block selects the previous pixels with the recipe or the current ones")
    func canHandle() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let asked = Mutex<[AdjustmentData]>([])
        func input(_ answer: Bool) async throws -> ContentEditingInput {
            var options = ContentEditingInputRequestOptions()
            options.canHandleAdjustmentData = { data in
                asked.withLock { $0.append(data) }
                return answer
            }
            return try await studio.host.requestContentEditingInput(
                for: studio.asset(asset), in: studio.library, options: options)
        }
        #expect(try studio.fullSize(await input(true)) == picture)
        #expect(asked.withLock { $0.isEmpty })

        try await studio.edit(asset, "adder", ["amount": "10"])
        let recipe = try studio.library.history(ofAsset: asset).chain[0].adjustmentData
        let previous = try await input(true)
        #expect(try studio.fullSize(previous) == picture)
        #expect(previous.adjustmentData == recipe)
        let current = try await input(false)
        #expect(try studio.fullSize(current) == picture.adding(10))
        #expect(current.adjustmentData == nil)
        #expect(asked.withLock { $0 } == [recipe, recipe])

        let usual = try await studio.host.requestContentEditingInput(
            for: studio.asset(asset), in: studio.library)
        #expect(try studio.fullSize(usual) == picture.adding(10))
        // A plug-in's edit asks only the plug-in.
        try await studio.edit(asset, "adder", ["amount": "4"])
        #expect(try studio.current(asset) == picture.adding(4))
        #expect(asked.withLock { $0.count } == 2)
        await studio.host.shutDown()
    }

    @Test("E-14 K-05 options have PhotoKit's defaults; a skipped display image is not rendered")
    func options() async throws {
        let usual = ContentEditingInputRequestOptions()
        #expect(!usual.isNetworkAccessAllowed && !usual.skipsDisplaySizeImage)
        #expect(usual.progressHandler == nil)
        #expect(try !usual.canHandleAdjustmentData(TestStudio.recipe()))

        let studio = try TestStudio()
        let asset = try studio.asset(try await studio.add(.gradient()))
        var decodes: [Int] = []
        for skips in [false, true] {
            var options = ContentEditingInputRequestOptions()
            options.skipsDisplaySizeImage = skips
            let fractions = Mutex<[Double]>([])
            options.progressHandler = { fraction, _ in fractions.withLock { $0.append(fraction) } }
            let before = try await studio.requestCount
            let input = try await studio.host.requestContentEditingInput(
                for: asset, in: studio.library, options: options)
            decodes.append(try await studio.requestCount - before)
            #expect((input.displaySizeImage == nil) == skips)
            #expect(fractions.withLock { $0 } == (skips ? [0, 1] : [0, 0.5, 1]))
        }
        // One request writes the file. Two more make the display image, one of them to take the
        // pixels.
        #expect(decodes == [3, 1])
        await studio.host.shutDown()
    }

    @Test("E-13 a corrupt or missing original gives no input and an error with cause and asset")
    func errors() async throws {
        for isMissing in [false, true] {
            let studio = try TestStudio()
            let asset = try studio.asset(try await studio.add(.gradient()))
            let history = try studio.library.history(ofAsset: asset.localIdentifier)
            let path = studio.blobPath(try #require(history.original?.contentHash))
            try FileManager.default.removeItem(atPath: path)
            if !isMissing { try Data("no picture".utf8).write(to: URL(fileURLWithPath: path)) }
            let answers = Answers()
            studio.host.requestContentEditingInput(
                for: asset, in: studio.library, completionHandler: answers.handler)
            let answer = try await answers.wait()[0]
            #expect(answer.input == nil && !answer.info.isCancelled)
            if isMissing {
                let error = try #require(answer.info.error as? LibraryError)
                #expect([.blobMissing, .originalMissing].contains(error.code), "\(error)")
                #expect(error.assetIdentifier == asset.localIdentifier)
            } else {
                let error = try #require(answer.info.error as? LibraryError)
                #expect(error.code == .originalDamaged, "\(error)")
                #expect(error.assetIdentifier == asset.localIdentifier)
            }
            await studio.host.shutDown()
        }
    }
}

/// Blocks threads until it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Waits, then lets other waiting threads continue.
    func wait() {
        #expect(semaphore.wait(timeout: .now() + 60) == .success)
        semaphore.signal()
    }
}

extension TestStudio {
    /// The number of requests sent to the idle runner.
    fileprivate var requestCount: Int {
        get async throws {
            try await host.pool.withRunner { runner in
                runner.process.state.withLock { Int($0.nextNumber) }
            }
        }
    }
}
