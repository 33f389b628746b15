// SPDX-License-Identifier: Apache-2.0

import Glibc

// Extended attributes, such as the tags of file managers and access control lists.
extension OpenFile {
    /// The attribute in which Linux stores a POSIX access control list.
    package static let accessListName = "system.posix_acl_access"

    // The Glibc module omits these functions.
    private typealias List =
        @convention(c) (CInt, UnsafeMutablePointer<CChar>?, Int) -> Int
    private typealias Get =
        @convention(c) (CInt, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
    private typealias Set =
        @convention(c) (CInt, UnsafePointer<CChar>, UnsafeRawPointer?, Int, CInt) -> CInt
    private typealias Remove = @convention(c) (CInt, UnsafePointer<CChar>) -> CInt
    private static let flistxattr: List? = function("flistxattr")
    private static let fgetxattr: Get? = function("fgetxattr")
    private static let fsetxattr: Set? = function("fsetxattr")
    private static let fremovexattr: Remove? = function("fremovexattr")

    private static func function<Function>(_ name: String) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
    }

    /// The names of the extended attributes; empty if the file system has none.
    package var attributeNames: [String] {
        guard let list = Self.flistxattr else { return [] }
        var names = [CChar](repeating: 0, count: Self.maximumAttributeLength)
        let length = list(descriptor, &names, names.count)
        guard length > 0 else { return [] }
        return names.prefix(length).split(separator: 0).map { name in
            String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Returns the value of an extended attribute; `nil` if it is missing or cannot be read.
    package func attribute(_ name: String) -> [UInt8]? {
        guard let get = Self.fgetxattr else { return nil }
        var value = [UInt8](repeating: 0, count: Self.maximumAttributeLength)
        let length = get(descriptor, name, &value, value.count)
        return length >= 0 ? Array(value.prefix(length)) : nil
    }

    /// Sets an extended attribute.
    ///
    /// - Returns: Whether it was set.
    package func setAttribute(_ name: String, to value: [UInt8]) -> Bool {
        Self.fsetxattr.map { $0(descriptor, name, value, value.count, 0) == 0 } ?? false
    }

    /// Removes an extended attribute, if it exists.
    package func removeAttribute(_ name: String) {
        _ = Self.fremovexattr?(descriptor, name)
    }

    /// The maximum length of a value, and of all names, that Linux supports.
    private static let maximumAttributeLength = 1 << 16
}
