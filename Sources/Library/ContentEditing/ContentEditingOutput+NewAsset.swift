// SPDX-License-Identifier: Apache-2.0

extension ContentEditingOutput {
    /// Creates an output for an asset that the running block creates, so that the asset is added
    /// with its first edit. Set it on ``AssetCreationRequest/contentEditingOutput``, or on a change
    /// request for the placeholder.
    ///
    /// If the library already has the same photo, that one is edited. If it already has edits,
    /// the block fails with `conflict`.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `HostError` if the host cannot create a
    ///   folder for the files.
    public init(placeholderForCreatedAsset placeholder: AssetPlaceholder) throws {
        let files = try ChangeBlock.current().makeFiles()
        self.init(contentEditingInput: try ContentEditingInput(placeholder, files: files))
    }
}
