// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import ImageMetadata
import RunnerProtocol
import RunnerSupport

extension ReceivedRequest {
    /// Opens the base picture of a request.
    ///
    /// - Parameter notification: The message sent to the host when a reader first waits for rows that are still being
    ///   written.
    func base(
        _ kind: RenderInput.Base, originalProfile: [UInt8]?, assumed: ColorProfile? = nil,
        notification: RunnerReply? = nil, _ runtime: Runtime
    ) throws(RunnerFailure) -> BasePicture {
        let changing = optional(.changingBase)
        let mapped = optional(.reusedBase) ?? changing
        guard case .raw(let layout) = kind, mapped != nil || optional(.rowProgress) != nil else {
            return try BasePicture(
                kind, file: try descriptor(.base), originalProfile: originalProfile,
                assumed: assumed, decodes: runtime.decodes)
        }
        let file = if let mapped { mapped } else { try descriptor(.base) }
        guard let mapping = runtime.mappings.mapping(of: file, isWritable: false) else {
            throw RunnerFailure(code: .badRequest, message: "the raw pixels cannot be mapped")
        }
        let rows = optional(.rowProgress).map { socket in
            RowProgress(socket, height: layout.height) {
                if let notification { runtime.connection.announce(notification) }
            }
        }
        // An extension may still change the pixels that the encoder reads, so they are copied too.
        let isCopied = mapped == nil || changing != nil
        let streaming =
            rows != nil || isCopied ? BasePicture.Streaming(rows: rows, isCopied: isCopied) : nil
        return try BasePicture(
            mapping, layout, originalProfile: originalProfile, streaming: streaming,
            decodes: runtime.decodes)
    }

    /// Opens the current version, for an edit of an earlier one.
    func placeholder(
        _ kind: RenderInput.Base, originalProfile: [UInt8]?, _ runtime: Runtime
    ) throws(RunnerFailure) -> BasePicture {
        let file = try descriptor(.placeholder)
        guard case .raw(let layout) = kind, let socket = optional(.placeholderRows) else {
            return try BasePicture(
                kind, file: file, originalProfile: originalProfile, decodes: runtime.decodes)
        }
        guard let mapping = runtime.mappings.mapping(of: file, isWritable: false) else {
            throw RunnerFailure(code: .badRequest, message: "the placeholder cannot be mapped")
        }
        let rows = RowProgress(socket, height: layout.height) {
            runtime.connection.announce(.placeholderNeeded)
        }
        return try BasePicture(
            mapping, layout, originalProfile: originalProfile,
            streaming: BasePicture.Streaming(rows: rows, isCopied: false), decodes: runtime.decodes)
    }

    /// Returns the RGB profile of the original. A runner without access to the original receives the profile as a
    /// separate file.
    func profile(of original: MetadataSource?) throws(RunnerFailure) -> [UInt8]? {
        if let original { return original.profile }
        guard let file = optional(.profile), let length = file.length, length > 0 else {
            return nil
        }
        guard length <= ICCProfile.maximumBytes, let bytes = Bytes(mapping: file, length: length)
        else {
            throw RunnerFailure(code: .badRequest, message: "the profile cannot be read")
        }
        return Array(bytes.memory)
    }
}
