// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Library
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

@Suite("cancelled input requests")
struct InputCancellationTests {
    @Test("E-09 request numbers are never reused by any host")
    func numbers() async throws {
        let studio = try TestStudio()
        let other = try studio.otherHost()
        let asset = try studio.asset(try await studio.add(.gradient()))
        let answers = Answers()
        var numbers: [ContentEditingInputRequestID] = []
        for _ in 0..<20 {
            for host in [studio.host, other] {
                let id = host.requestContentEditingInput(
                    for: asset, in: studio.library, completionHandler: answers.handler)
                host.cancelContentEditingInputRequest(id)
                numbers.append(id)
            }
        }
        #expect(Set(numbers).count == 40)
        #expect(numbers.map(\.rawValue) == numbers.map(\.rawValue).sorted())
        let all = try await answers.wait(for: 40)
        #expect(Set(all.map(\.info.requestID)) == Set(numbers))
        await other.shutDown()
        await studio.host.shutDown()
    }

    @Test("E-10 E-11 a cancel beforehand decodes nothing and calls the handler once")
    func beforehand() async throws {
        let studio = try TestStudio()
        let asset = try studio.asset(try await studio.add(.gradient()))
        // This host would fail if it decoded anything.
        var configuration = studio.host.configuration
        configuration.runnerExecutable = "/nonexistent/runner"
        let host = ExtensionHost(configuration)
        let wasCancelled = Gate()
        var options = ContentEditingInputRequestOptions()
        options.progressHandler = { fraction, _ in
            #expect(fraction == 0)
            wasCancelled.wait()
        }
        let answers = Answers()
        let id = host.requestContentEditingInput(
            for: asset, in: studio.library, options: options, completionHandler: answers.handler)
        host.cancelContentEditingInputRequest(id)
        wasCancelled.open()
        let answer = try await answers.wait()[0]
        #expect(answer.input == nil && answer.info.isCancelled && answer.info.error == nil)
        #expect(answer.info.requestID == id)

        // The handler itself may cancel, and cancelling again has no effect.
        options.progressHandler = { _, stop in stop = true }
        let second = host.requestContentEditingInput(
            for: asset, in: studio.library, options: options, completionHandler: answers.handler)
        #expect(try await answers.wait(for: 2)[1].info.isCancelled)
        for id in [id, second, ContentEditingInputRequestID(rawValue: -1)] {
            host.cancelContentEditingInputRequest(id)
        }
        options.progressHandler = nil
        host.requestContentEditingInput(
            for: asset, in: studio.library, options: options, completionHandler: answers.handler)
        let error = try await answers.wait(for: 3)[2].info.error as? HostError
        #expect(error?.code == .runnerUnavailable)
        #expect(answers.all.count == 3)
        await studio.host.shutDown()
    }

    @Test("E-10 E-11 a cancel during a runner's work ends that runner")
    func meanwhile() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try studio.asset(try await studio.add(picture))
        let process = try await studio.host.pool.withRunner { $0.process }
        // From here on, the runner never answers.
        #expect(kill(process.pid, SIGSTOP) == 0)
        let answers = Answers()
        let id = studio.host.requestContentEditingInput(
            for: asset, in: studio.library, completionHandler: answers.handler)
        try await waitUntil("the runner has a request") {
            process.state.withLock { !$0.pending.isEmpty }
        }
        studio.host.cancelContentEditingInputRequest(id)
        let answer = try await answers.wait()[0]
        #expect(answer.input == nil && answer.info.isCancelled && answer.info.error == nil)
        try await waitUntil("the runner has ended") { !Children.isRunning(process.pid) }

        let input = try await studio.input(asset.localIdentifier)
        #expect(try studio.fullSize(input) == picture)
        #expect(answers.all.count == 1)
        await studio.host.shutDown()
    }

    @Test("E-10 a cancel after completion has no effect")
    func afterwards() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let asset = try studio.asset(try await studio.add(picture))
        let answers = Answers()
        let id = studio.host.requestContentEditingInput(
            for: asset, in: studio.library, completionHandler: answers.handler)
        let input = try #require(try await answers.wait()[0].input)
        studio.host.cancelContentEditingInputRequest(id)
        #expect(try studio.fullSize(input) == picture)
        _ = try await studio.input(asset.localIdentifier)
        #expect(answers.all.count == 1)
        await studio.host.shutDown()
    }

    @Test("E-10 E-11 a cancel at any time gives one answer, an input or the flag")
    func randomMoments() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient(width: 300, height: 200)
        let asset = try studio.asset(try await studio.add(picture))
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        for round in 0..<25 {
            let answers = Answers()
            let id = studio.host.requestContentEditingInput(
                for: asset, in: studio.library, completionHandler: answers.handler)
            try await Task.sleep(for: .microseconds(Int.random(in: 0...30_000, using: &random)))
            for _ in 0..<2 { studio.host.cancelContentEditingInputRequest(id) }
            let answer = try await answers.wait()[0]
            #expect(
                (answer.input != nil) != answer.info.isCancelled, "seed \(seed), round \(round)")
            #expect(answer.info.error == nil, "seed \(seed), round \(round)")
            if let input = answer.input { #expect(try studio.fullSize(input) == picture) }
            _ = try await studio.input(asset.localIdentifier)
            #expect(answers.all.count == 1, "seed \(seed), round \(round)")
        }
        await studio.host.shutDown()
    }

    @Test("E-11 a cancelled task throws a cancellation error")
    func task() async throws {
        let studio = try TestStudio()
        let asset = try studio.asset(try await studio.add(.gradient()))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await studio.host.requestContentEditingInput(for: asset, in: studio.library)
        }
        task.cancel()
        let error = await #expect(throws: HostError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.assetIdentifier == asset.localIdentifier)
        await studio.host.shutDown()
    }
}
