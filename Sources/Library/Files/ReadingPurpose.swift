// SPDX-License-Identifier: Apache-2.0

/// What the bytes of a stored or referenced file are wanted for: it decides how sure of them one
/// has to be.
public enum ReadingPurpose: Hashable, Sendable {
    /// A picture that is looked at and not kept, or bytes that the caller hashes: they are given as they are.
    case preview
    /// A picture that the library will keep. A stored file is read and hashed first, once in a process; of a
    /// referenced one size and time are compared.
    case drawing
    /// What leaves the library: a referenced file is hashed as well.
    case copying
}
