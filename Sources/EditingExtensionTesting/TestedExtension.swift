// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import CEditingExtensionTesting
import EditingValues

/// An extension that runs in the process of a test: without a library, a sandbox, deadlines or trust, and therefore
/// under debuggers, profilers and sanitizers.
///
///     let glow = try TestedExtension(
///         editing_extension_entry, identifier: Glow.identifier, version: Glow.version)
///     let input = try TestedPicture.gradient(width: 64, height: 48)
///     let edit = try glow.edit(input)
///     try edit.set(["gain": .number(0.5)])
///     try edit.finish().expectSame(as: input.mapped { $0 / 2 }, tolerance: 1)
///
/// `editing_extension_testing.h`, which this wraps, lists the differences from edithost. All calls must be made on one
/// thread.
public final class TestedExtension {
    /// The function that an extension exports.
    public typealias Entry =
        @convention(c) (UnsafePointer<ee_host>?) -> UnsafePointer<ee_entry>?

    private let pointer: OpaquePointer

    /// Creates an extension that is linked into the program.
    ///
    /// - Parameters:
    ///   - entry: Its function `editing_extension_entry`.
    ///   - identifier: The identifier in its manifest.
    ///   - version: The version in its manifest.
    /// - Throws: ``ExtensionTestError`` if edithost would reject the extension.
    public init(_ entry: @escaping Entry, identifier: String, version: String) throws {
        guard let pointer = ee_test_use(entry, identifier, version) else {
            throw ExtensionTestError.last
        }
        self.pointer = pointer
    }

    /// Loads the extension in a folder `Name.editingextension`.
    ///
    /// - Throws: ``ExtensionTestError`` if edithost would reject the extension.
    public init(folder: String) throws {
        guard let pointer = ee_test_load(folder) else { throw ExtensionTestError.last }
        self.pointer = pointer
    }

    /// The manifest that the extension generates, without the name of its library.
    ///
    /// - Throws: ``ExtensionTestError`` if the extension does not generate a manifest.
    public var manifest: String {
        get throws {
            guard let json = ee_test_manifest(pointer) else { throw ExtensionTestError.last }
            return String(cString: json)
        }
    }

    /// Returns whether the extension can continue editing from a recipe.
    public func canHandle(_ recipe: AdjustmentData) -> Bool {
        recipe.withContract { ee_test_can_handle(pointer, $0) }
    }

    /// Starts an edit.
    ///
    /// - Parameter recipe: The recipe to continue; nil for a new edit.
    /// - Throws: ``ExtensionTestError`` if a call fails, or if the extension cannot handle the recipe.
    public func edit(_ input: TestedPicture, recipe: AdjustmentData? = nil) throws -> TestedEdit {
        let input = try input.copied()
        let edit =
            if let recipe {
                recipe.withContract { ee_test_start(pointer, input, $0) }
            } else {
                ee_test_start(pointer, input, nil)
            }
        guard let edit else {
            ee_test_picture_free(input)
            throw ExtensionTestError.last
        }
        return TestedEdit(edit, over: input)
    }

    /// Renders a recipe and returns the picture. The picture must be the same whenever edithost renders the recipe
    /// again.
    ///
    /// - Throws: ``ExtensionTestError`` if a call fails.
    public func render(
        _ input: TestedPicture, recipe: AdjustmentData? = nil
    ) throws -> TestedPicture {
        let edit = try edit(input, recipe: recipe)
        let output = try edit.finish()
        try edit.end()
        return output
    }
}

extension AdjustmentData {
    /// Calls a closure with the recipe in the C contract, valid during the call.
    fileprivate func withContract<Result>(
        _ body: (UnsafePointer<ee_adjustment>) -> Result
    ) -> Result {
        formatIdentifier.withCString { identifier in
            formatVersion.withCString { version in
                data.withUnsafeBytes { bytes in
                    var adjustment = ee_adjustment(
                        format_identifier: identifier, format_version: version,
                        data: bytes.baseAddress, size: bytes.count)
                    return withUnsafePointer(to: &adjustment, body)
                }
            }
        }
    }
}
