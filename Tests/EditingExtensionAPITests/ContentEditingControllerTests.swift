// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization
import Testing

@testable import EditingExtensionAPI

/// A controller with behaviour set by the test.
private final class Puppet: ContentEditingController {
    static let identifier = "com.example.puppet"
    static let version = "1.0"

    var input: ContentEditingInput?
    var placeholder: Image?
    var onFinish: (ContentEditingInput, @escaping CompletionHandler) throws -> Void = { _, _ in }
    let cancelled = Mutex(0)

    func canHandle(_ adjustmentData: AdjustmentData) -> Bool { adjustmentData.formatVersion == "7" }
    func startContentEditing(with input: ContentEditingInput, placeholderImage: Image) throws {
        self.input = input
        placeholder = placeholderImage
    }
    func parameters() throws -> [String: ParameterValue] {
        [
            "a": .boolean(true), "b": .integer(-3), "c": .number(0.5), "d": .string("ü\u{0}"),
            "e": .point(x: 0.25, y: 1),
        ]
    }
    func setParameters(_ values: [String: ParameterValue]) throws {}
    func renderPreview() throws -> Image {
        throw EditingExtensionError(code: .unsupported, message: "no preview")
    }
    func finishContentEditing(completionHandler: @escaping CompletionHandler) throws {
        guard let input else { throw Missing() }
        try onFinish(input, completionHandler)
    }
    func cancelContentEditing() { cancelled.withLock { $0 += 1 } }
}

@Suite("ContentEditingController")
struct ContentEditingControllerTests {
    private let image: Image
    private let puppet = Puppet()
    private let recipe = AdjustmentData(
        formatIdentifier: "com.example.puppet", formatVersion: "7", data: Data("r".utf8))

    init() throws { image = try Pictures.make(width: 8, height: 6, bands: 3).image }

    private func session(recipe: AdjustmentData? = nil) throws -> TestSession {
        try TestSession(puppet, input: TestInput(image, recipe: recipe))
    }

    @Test("K-04 the input has every documented member")
    func input() throws {
        let session = try session(recipe: recipe)
        let input = try puppet.input.unwrapped()
        #expect(input.mediaType == .image)
        #expect(input.mediaSubtypes == .photoScreenshot)
        #expect(input.contentType == "image/png")
        // 05:08:09 UTC
        #expect(input.creationDate == Date(timeIntervalSince1970: 1_714_972_089))
        #expect(input.location == Location(latitude: 48.5, longitude: -9.25))
        #expect(input.capture.orientation == 6 && input.capture.cameraMake == "Maker")
        #expect(input.capture.focalLength == 35 && input.capture.hasManualWhiteBalance == true)
        #expect(input.capture.lensModel == nil && input.capture.aperture == nil)
        #expect(input.capture.flash == nil && input.capture.isHDR && !input.capture.isRAW)
        #expect(input.playbackStyle == .image)
        #expect(input.adjustmentData == recipe)
        #expect(try input.displaySizeImage.pointer == image.pointer)
        #expect(try input.fullSizeImage.pointer == image.pointer)
        #expect(input.fullSizeImageOrientation == 1)
        #expect((input.fullSizePixelWidth, input.fullSizePixelHeight) == (8, 6))
        #expect((input.fullSizeScale, input.displayScale) == (1, 1))
        // The test's host offers no videos.
        #expect(try input.audiovisualAsset == nil)
        #expect(try input.livePhoto == nil)
        #expect(puppet.placeholder?.pointer == image.pointer)
        let failure = #expect(throws: EditingExtensionError.self) { try input.fullSizeImageURL }
        #expect(failure?.message == "no file in this test")
        withExtendedLifetime(session) {}
    }

    @Test(
        "K-04 the playback style is that of the asset",
        arguments: [
            (MediaType.image, [], .image), (.image, .animated, .imageAnimated),
            (.image, [.photoLive, .photoHDR], .livePhoto), (.video, [], .video),
            (.video, .videoHighFrameRate, .video), (.video, .photoLive, .livePhoto),
            (.audio, [], .unsupported),
        ] as [(MediaType, MediaSubtype, PlaybackStyle)])
    func playbackStyle(_ type: MediaType, _ subtypes: MediaSubtype, _ style: PlaybackStyle) throws {
        let given = TestInput(image, mediaType: type, mediaSubtypes: subtypes)
        let session = try TestSession(puppet, input: given)
        #expect(try puppet.input.unwrapped().playbackStyle == style)
        withExtendedLifetime(session) {}
    }

    @Test("K-06 an output gives a rendered file of a type that the host offers")
    func renderedFile() throws {
        puppet.onFinish = { [recipe] input, complete in
            let output = ContentEditingOutput(contentEditingInput: input)
            #expect(output.defaultRenderedContentType == .png)
            #expect(output.supportedRenderedContentTypes.contains(.jpeg))
            #expect(throws: EditingExtensionError.self) {
                try output.renderedContentURL(for: .tiff)
            }
            let path = try output.renderedContentURL.path(percentEncoded: false)
            #expect(path == "/rendered/output.jpg")
            output.adjustmentData = recipe
            output.profile = .displayP3
            complete(.success(output))
        }
        let output = try session().finish()
        #expect(output.recipe == recipe)
        #expect(output.image == nil)
        #expect(output.renderedContentType == "image/jpeg")
        #expect(output.profile == "display-p3")
    }

    @Test("C-16 the completion reaches the host once, from any thread")
    func completesOnce() async throws {
        let session = try session()
        let (stream, handlers) = AsyncStream.makeStream(of: Puppet.CompletionHandler.self)
        puppet.onFinish = { _, complete in handlers.yield(complete) }
        try session.beginFinish()
        let complete = try await stream.first { _ in true }.unwrapped()
        #expect(session.completions.all.isEmpty)
        let output = ContentEditingOutput(contentEditingInput: try puppet.input.unwrapped())
        output.adjustmentData = recipe
        output.image = image
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { complete(.success(output)) } }
        }
        #expect(session.completions.all.count == 1)
        #expect(try session.completions.all.first?.get()?.image?.pointer == image.pointer)
    }

    @Test("C-17 a completion after cancel, and one after the end, stay silent")
    func silentAfterCancel() throws {
        let kept = Mutex<Puppet.CompletionHandler?>(nil)
        puppet.onFinish = { _, complete in kept.withLock { $0 = complete } }
        var session: TestSession? = try session()
        let completions = try session.unwrapped().completions
        try session?.beginFinish()
        session?.cancel()
        let complete = try kept.withLock { $0 }.unwrapped()
        complete(.success(nil))
        #expect(puppet.cancelled.withLock { $0 } == 1)
        session = nil
        complete(.success(nil))
        #expect(completions.all.isEmpty)
    }

    @Test(
        "C-20 a discard, and an output with neither recipe nor picture, have their own status")
    func discarded() throws {
        for isEmpty in [false, true] {
            puppet.onFinish = { input, complete in
                complete(
                    isEmpty
                        ? .success(ContentEditingOutput(contentEditingInput: input))
                        : .failure(EditingExtensionError.discarded))
            }
            let session = try session()
            let failure = #expect(throws: TestFailure.self) { try session.finish() }
            #expect(failure?.status == ee_status(EE_DISCARDED))
            #expect(session.completions.all.count == 1)
        }
    }

    @Test("a nil output is a failure with a message")
    func noOutput() throws {
        puppet.onFinish = { _, complete in complete(.success(nil)) }
        let session = try session()
        let failure = #expect(throws: TestFailure.self) { try session.finish() }
        #expect(failure?.status == ee_status(EE_FAILED))
        #expect(failure?.message.contains("gave no output") == true)
    }

    @Test("K-08 an output without a recipe or without a picture is an error")
    func incomplete() throws {
        for (hasRecipe, hasImage) in [(false, true), (true, false)] {
            puppet.onFinish = { [recipe, image] input, complete in
                let output = ContentEditingOutput(contentEditingInput: input)
                output.adjustmentData = hasRecipe ? recipe : nil
                output.image = hasImage ? image : nil
                complete(.success(output))
            }
            let session = try session()
            let failure = #expect(throws: TestFailure.self) { try session.finish() }
            #expect(failure?.message.contains(hasRecipe ? "image" : "adjustment data") == true)
        }
    }

    @Test("E-08 an output made from another edit's input is an error")
    func otherInput() throws {
        let other = Puppet()
        let otherSession = try TestSession(other, input: TestInput(image))
        let foreign = try other.input.unwrapped()
        puppet.onFinish = { [recipe, image] _, complete in
            let output = ContentEditingOutput(contentEditingInput: foreign)
            output.adjustmentData = recipe
            output.image = image
            complete(.success(output))
        }
        let session = try session()
        let failure = #expect(throws: TestFailure.self) { try session.finish() }
        #expect(failure?.message.contains("input") == true)
        withExtendedLifetime(otherSession) {}
    }

    @Test("errors keep their code and message, thrown or passed")
    func errors() throws {
        let session = try session()
        let thrown = #expect(throws: TestFailure.self) { try session.preview() }
        #expect(thrown?.status == ee_status(EE_UNSUPPORTED))
        #expect(thrown?.message == "no preview")
        puppet.onFinish = { _, complete in
            complete(.failure(EditingExtensionError(code: .cancelled, message: "stopped")))
        }
        let handed = #expect(throws: TestFailure.self) { try session.finish() }
        #expect(handed?.status == ee_status(EE_CANCELLED))
        #expect(handed?.message == "stopped")
    }

    @Test("C-10 canHandle's answer is passed on; by default a cancel asks nothing")
    func answers() throws {
        let session = try TestSession(puppet)
        #expect(try session.canHandle(recipe))
        #expect(
            try !session.canHandle(
                AdjustmentData(
                    formatIdentifier: "x", formatVersion: "8", data: Data("r".utf8))))
        #expect(!session.asksBeforeCancel)
        #expect(
            try session.parameters()
                == #"{"a":true,"b":-3,"c":0.5,"d":"ü\u0000","e":{"x":0.25,"y":1}}"#)
    }

    @Test("an input gives no more pixels after the end of its edit")
    func inputAfterEnd() throws {
        var session: TestSession? = try session()
        _ = session
        session = nil
        let failure = #expect(throws: EditingExtensionError.self) {
            try puppet.input.unwrapped().fullSizeImage
        }
        #expect(failure?.code == .cancelled)
        #expect(puppet.input?.contentType == "image/png")
    }
}
