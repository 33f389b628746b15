// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Studio

@Suite("ranges of bytes")
struct RangeTests {
    @Test(
        "a single range is the requested one, within the file",
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=10-19", 10..<20), ("bytes=90-", 90..<100),
            ("bytes=90-1000", 90..<100), ("bytes=-10", 90..<100), ("bytes=-1000", 0..<100),
            ("BYTES=5-6", 5..<7),
        ])
    func single(header: String, range: Range<Int>) throws {
        #expect(try ByteRange.of(header, count: 100) == range)
    }

    @Test(
        "everything else means the whole file",
        arguments: [
            nil, "", "bytes", "bytes=", "bytes=-", "bytes=9-3", "bytes=a-b", "bytes=1-2-3",
            "lines=1-2",
            "bytes=+1-2", "bytes=0-1,2-3", "bytes=" + String(repeating: "0-,", count: 1000),
            "bytes=99999999999999999999-",
        ])
    func whole(header: String?) throws {
        #expect(try ByteRange.of(header, count: 100) == nil)
    }

    @Test(
        "a range beyond the file is rejected",
        arguments: ["bytes=100-", "bytes=200-300", "bytes=-0"])
    func beyond(header: String) {
        #expect(throws: StudioError.self) { try ByteRange.of(header, count: 100) }
    }
}
