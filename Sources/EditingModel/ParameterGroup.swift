// SPDX-License-Identifier: Apache-2.0

/// A group of parameters in a form.
public struct ParameterGroup: Hashable, Sendable {
    /// The title of the group; `nil` for ungrouped parameters.
    public let title: LocalizedText?
    /// The parameters, in manifest order.
    public let parameters: [ExtensionParameter]
}
