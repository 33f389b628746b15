// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The error thrown when a condition is not met in time.
public struct WaitTimeout: Error, CustomStringConvertible {
    /// The condition and the limit.
    public let description: String
}

/// Waits until a condition is met.
///
/// - Parameters:
///   - what: Completes the sentence "waited in vain until".
///   - limit: The time after which ``WaitTimeout`` is thrown. Tests that block threads can delay others for minutes.
///   - condition: The condition, evaluated every 2 ms.
public func waitUntil(
    _ what: String, within limit: Duration = .seconds(540),
    isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { throw WaitTimeout(what, limit) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Blocks the thread until a condition is met.
///
/// - Parameters:
///   - what: Completes the sentence "waited in vain until".
///   - limit: The time after which ``WaitTimeout`` is thrown.
///   - condition: The condition, evaluated every 10 ms.
public func blockUntil(
    _ what: String, within limit: Duration = .seconds(540), _ condition: () throws -> Bool
) throws {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { throw WaitTimeout(what, limit) }
        usleep(10_000)
    }
}

extension WaitTimeout {
    fileprivate init(_ what: String, _ limit: Duration) {
        description = "waited in vain for \(limit.components.seconds) s until \(what)"
    }
}
