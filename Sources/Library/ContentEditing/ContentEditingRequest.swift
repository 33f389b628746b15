// SPDX-License-Identifier: Apache-2.0

/// A request that may contain the result of an edit.
protocol ContentEditingRequest: AnyObject, Sendable {
    var output: ContentEditingOutput? { get }
    /// Replaces the output by its verified form, after the block has ended.
    func replaceOutput(_ output: ContentEditingOutput)
}
