// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import CEditingExtensionTesting
import EditingValues
import FoundationEssentials

/// An edit of a picture by a ``TestedExtension``: a controller that has been started.
public final class TestedEdit {
    private let input: UnsafeMutablePointer<ee_test_picture>
    private let pointer: OpaquePointer
    private var hasEnded = false

    /// Wraps an edit that the C test host has started, and takes ownership of it and of its input.
    init(_ pointer: OpaquePointer, over input: UnsafeMutablePointer<ee_test_picture>) {
        self.pointer = pointer
        self.input = input
    }

    deinit {
        if !hasEnded { _ = ee_test_end(pointer) }
        ee_test_picture_free(input)
    }

    /// Changes parameters; the others keep their values.
    ///
    /// - Throws: ``ExtensionTestError`` if the extension rejects a value.
    public func set(_ values: [String: ParameterValue]) throws {
        try requireOpen()
        let json = String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
        guard ee_test_set(pointer, json) else { throw ExtensionTestError.last }
    }

    /// The values of all parameters.
    ///
    /// - Throws: ``ExtensionTestError`` if the call fails, or `DecodingError` if a value has a type that no parameter
    ///   can have.
    public var values: [String: ParameterValue] {
        get throws {
            try requireOpen()
            guard let json = ee_test_values(pointer) else { throw ExtensionTestError.last }
            return try JSONDecoder().decode(
                [String: ParameterValue].self, from: Data(String(cString: json).utf8))
        }
    }

    /// Returns a preview of the whole picture, rendered from the input reduced to fit into a square.
    ///
    /// - Parameter longerSide: The side of the square in pixels.
    /// - Throws: ``ExtensionTestError`` if a call fails.
    public func preview(longerSide: Int) throws -> TestedPicture {
        try requireOpen()
        return try TestedPicture(
            taking: ee_test_preview(pointer, UInt32(clamping: longerSide)))
    }

    /// Finishes the edit and returns its picture. May be called only once.
    ///
    /// - Throws: ``ExtensionTestError`` if the call fails, or if edithost would reject the output.
    public func finish() throws -> TestedPicture {
        try requireOpen()
        return try TestedPicture(taking: ee_test_finish(pointer))
    }

    /// The recipe that `finish` returned.
    ///
    /// - Throws: ``ExtensionTestError`` if the edit has not been finished.
    public var recipe: AdjustmentData {
        get throws {
            try requireOpen()
            guard let recipe = ee_test_recipe(pointer)?.pointee else {
                throw ExtensionTestError.last
            }
            return AdjustmentData(
                formatIdentifier: String(cString: recipe.format_identifier),
                formatVersion: String(cString: recipe.format_version),
                data: recipe.data.map { Data(bytes: $0, count: recipe.size) } ?? Data())
        }
    }

    /// Cancels the edit.
    public func cancel() {
        if !hasEnded { ee_test_cancel(pointer) }
    }

    /// Destroys the controller. If this method is not called, the controller is destroyed when this object is
    /// deinitialised.
    ///
    /// - Throws: ``ExtensionTestError`` if the extension called its completion handler twice, or after a cancellation
    ///   when its `finishContentEditing` had already returned.
    public func end() throws {
        try requireOpen()
        hasEnded = true
        guard ee_test_end(pointer) else { throw ExtensionTestError.last }
    }

    private func requireOpen() throws {
        if hasEnded { throw ExtensionTestError(description: "the edit has ended") }
    }
}
