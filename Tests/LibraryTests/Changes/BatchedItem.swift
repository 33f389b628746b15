// SPDX-License-Identifier: Apache-2.0

@testable import Library

/// An item of a batch, with an object that reports its release.
struct BatchedItem: BatchedContentChange {
    final class Payload: Sendable {
        private let released: @Sendable () -> Void

        init(released: @escaping @Sendable () -> Void) { self.released = released }

        deinit { released() }
    }

    let contentChange: AssetContentChange?
    var payload: Payload?
}
