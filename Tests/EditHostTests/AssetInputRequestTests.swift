// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// The requests of `ExtensionHost`, available on `Asset` as in PhotoKit.
@Suite("inputs requested from assets")
struct AssetInputRequestTests {
    @Test("E-07 an asset delivers its input to a handler or a task, and the output is committed")
    func request() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try studio.asset(try await studio.add(picture))
        var options = ContentEditingInputRequestOptions()
        options.skipsDisplaySizeImage = true
        let answers = Answers()
        let id = asset.requestContentEditingInput(
            with: options, in: studio.library, host: studio.host,
            completionHandler: answers.handler)
        let answer = try await answers.wait()[0]
        #expect(answer.info.requestID == id && answer.info.error == nil)
        let input = try #require(answer.input)
        #expect(try studio.fullSize(input) == picture && input.displaySizeImage == nil)

        // The five steps of an edit are sufficient.
        let second = try await asset.requestContentEditingInput(
            with: options, in: studio.library, host: studio.host)
        var output = ContentEditingOutput(contentEditingInput: second)
        output.adjustmentData = try TestStudio.recipe("mine")
        try picture.adding(9).encoded().write(to: output.renderedContentURL(for: .png))
        try await studio.library.performChanges { [output] in
            try AssetChangeRequest(for: asset).contentEditingOutput = output
        }
        #expect(try studio.current(asset.id) == picture.adding(9))
        #expect(try studio.recipe(asset.id) == "mine")
        await studio.host.shutDown()
    }

    @Test("E-10 E-11 an asset's request is cancelled by its number; another number has no effect")
    func cancel() async throws {
        let studio = try TestStudio()
        let asset = try studio.asset(try await studio.add(.gradient()))
        let hasBegun = Gate()
        var options = ContentEditingInputRequestOptions()
        options.progressHandler = { _, _ in hasBegun.wait() }
        let answers = Answers()
        let id = asset.requestContentEditingInput(
            with: options, in: studio.library, host: studio.host,
            completionHandler: answers.handler)
        asset.cancelContentEditingInputRequest(.init(rawValue: .max), host: studio.host)
        asset.cancelContentEditingInputRequest(id, host: studio.host)
        hasBegun.open()
        let answer = try await answers.wait()[0]
        #expect(answer.info.isCancelled && answer.input == nil && answer.info.requestID == id)
        asset.cancelContentEditingInputRequest(id, host: studio.host)
        await studio.host.shutDown()
        #expect(answers.all.count == 1)
    }

    @Test("the shared host is a single instance with the command line's configuration")
    func shared() throws {
        let host = try ExtensionHost.shared
        #expect(try ExtensionHost.shared === host)
        let standard = HostConfiguration.standard(
            executable: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path,
            environment: ProcessInfo.processInfo.environment)
        #expect(host.configuration.runnerExecutable == standard.runnerExecutable)
        #expect(host.configuration.extensionFolders == standard.extensionFolders)
    }
}
