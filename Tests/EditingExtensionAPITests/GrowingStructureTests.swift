// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import EditingModel
import Glibc
import Testing

/// Reads structures from versions with fewer or more members.
@Suite struct GrowingStructureTests {
    private struct Small {
        var size: UInt32
        var first: UInt64
    }

    private struct Large {
        var size: UInt32
        var first: UInt64
        var second: UInt64
        var third: UnsafeRawPointer?
    }

    /// Stores a value directly before an unreadable page.
    private func atEndOfPage<Value, Result>(
        _ value: Value, _ body: (UnsafeRawPointer) throws -> Result
    ) throws -> Result {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let pages = mmap(
            nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let start = try pages.unwrapped()
        defer { munmap(start, 2 * page) }
        try #require(mprotect(start + page, page, PROT_NONE) == 0)
        let pointer = start + (page - MemoryLayout<Value>.size)
        pointer.storeBytes(of: value, as: Value.self)
        return try body(pointer)
    }

    @Test("missing members of a shorter structure are zero")
    func shorter() throws {
        let small = Small(size: UInt32(MemoryLayout<Small>.size), first: 7)
        let read = try atEndOfPage(small) {
            growingStructure(at: $0, as: Large.self, minimum: MemoryLayout<Small>.size)
        }
        let copy = try read.unwrapped()
        #expect(copy.first == 7 && copy.second == 0 && copy.third == nil)
    }

    @Test("the known members of a longer structure are read")
    func longer() throws {
        let large = Large(
            size: UInt32(MemoryLayout<Large>.size), first: 7, second: 8, third: nil)
        let read = try atEndOfPage(large) {
            growingStructure(at: $0, as: Small.self, minimum: MemoryLayout<Small>.size)
        }
        #expect(try read.unwrapped().first == 7)
    }

    @Test("a structure shorter than its minimum is invalid")
    func tooShort() throws {
        let read = try atEndOfPage(UInt32(4)) {
            growingStructure(at: $0, as: Small.self, minimum: MemoryLayout<Small>.size)
        }
        #expect(read == nil)
    }
}
