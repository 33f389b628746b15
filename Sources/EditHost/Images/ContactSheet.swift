// SPDX-License-Identifier: Apache-2.0

/// A labelled grid of pictures in one self-contained file. The text of the file is ``head``, each ``entry(_:_:)``, and
/// ``end``, so a sheet of any length is never held in memory.
protocol ContactSheet {
    /// The text before the pictures.
    var head: String { get }
    /// The text after the pictures.
    var end: String { get }

    /// Returns the text for the next picture.
    ///
    /// - Parameters:
    ///   - image: The picture; `nil` if it cannot be rendered, which a note in its place says.
    ///   - caption: The lines of the caption, as untrusted text.
    mutating func entry(_ image: EncodedImage?, _ caption: [String]) -> String
}

extension ContactSheet {
    /// The note in place of a picture that cannot be rendered.
    static var failureNote: String { "cannot be rendered" }
}
