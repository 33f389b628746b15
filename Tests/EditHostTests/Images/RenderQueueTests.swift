// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Synchronization
import TestSupport
import Testing

@testable import EditHost

/// Numbers in the order in which they were added.
private final class Recorder: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}

/// The order of renders, and the removal of those that are no longer requested.
@Suite("render queue")
struct RenderQueueTests {
    private static func key(_ width: Int) -> RenderQueue.Key {
        var display = DisplaySettings()
        display.box = PixelSize(width: width, height: 1)
        return .init(source: .init(file: nil, state: ""), display: display)
    }

    @Test("identical concurrent requests render once")
    func merged() async throws {
        let queue = RenderQueue(limit: 2)
        let gate = Gate()
        let begun = Recorder()
        let tasks = (0..<20).map { _ in
            Task {
                try await queue.render(Self.key(1), .visible) {
                    begun.add(1)
                    gate.wait()
                    return RenderedPicture()
                }
            }
        }
        try await waitUntil("a render has begun") { !begun.all.isEmpty }
        gate.open()
        for task in tasks { _ = try await task.value }
        // Requests that arrived after the end of the render started another one.
        #expect(queue.count == 0 && begun.all.count < 20)
    }

    @Test("visible pictures precede prefetched ones, and fast answers precede both")
    func priorities() async throws {
        let queue = RenderQueue(limit: 1)
        let gate = Gate()
        let order = Recorder()
        let first = Task {
            try await queue.render(Self.key(0), .visible) {
                gate.wait(); return RenderedPicture()
            }
        }
        try await waitUntil("a render has begun") { queue.begun > 0 }
        func later(_ number: Int, _ priority: RenderQueue.Priority) async throws
            -> Task<RenderedPicture, any Error>
        {
            let count = queue.count
            let task = Task {
                try await queue.render(Self.key(number), priority) {
                    order.add(number)
                    return RenderedPicture()
                }
            }
            try await waitUntil("it is in the queue") { queue.count != count }
            return task
        }
        var tasks = [first]
        tasks.append(try await later(1, .ahead))
        tasks.append(try await later(2, .ahead))
        tasks.append(try await later(3, .visible))
        tasks.append(try await later(4, .quick))
        // A visible request raises the priority of a prefetched picture.
        tasks.append(Task { try await queue.render(Self.key(2), .visible) { RenderedPicture() } })
        try await Task.sleep(for: .milliseconds(30))
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(order.all == [4, 3, 2, 1])
    }

    @Test("a render is dropped once all its requests are cancelled")
    func dropped() async throws {
        let queue = RenderQueue(limit: 1)
        let gate = Gate()
        let first = Task {
            try await queue.render(Self.key(0), .visible) {
                gate.wait(); return RenderedPicture()
            }
        }
        try await waitUntil("a render has begun") { queue.begun > 0 }
        let rendered = Recorder()
        let dropped = Task {
            try await queue.render(Self.key(1), .visible) {
                rendered.add(1)
                return RenderedPicture()
            }
        }
        let pair = (0..<2).map { _ in
            Task { try await queue.render(Self.key(2), .visible) { RenderedPicture() } }
        }
        try await waitUntil("three are in the queue") { queue.count >= 3 }
        dropped.cancel()
        pair[0].cancel()
        await #expect(throws: HostError.self) { try await dropped.value }
        _ = await pair[0].result
        gate.open()
        _ = try await first.value
        _ = try await pair[1].value
        #expect(rendered.all.isEmpty && queue.count == 0)
    }
}
