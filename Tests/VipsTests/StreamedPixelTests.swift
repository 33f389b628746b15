// SPDX-License-Identifier: Apache-2.0

import CVips
import Foundation
import Synchronization
import TestSupport
import Testing
import Vips

/// Pixels that are written to memory from the top down, and read while they are being written.
@Suite("streamed pixels")
struct StreamedPixelTests {
    private let picture = TestPicture.gradient(width: 300, height: 1000)

    private func image(access: String = "sequential") throws -> Image {
        try Image(
            source: try ImageSource(bytes: Array(try picture.encoded("png"))),
            loader: "pngload_source", options: ["access": .string(access)])
    }

    /// Memory that a test writes into, filled with a number that no picture has.
    private final class Memory: @unchecked Sendable {
        // Sendable because the address is constant, and each test orders its writes.
        let bytes: UnsafeMutableRawBufferPointer

        init(_ count: Int) {
            bytes = .allocate(byteCount: count, alignment: 16)
            bytes.initializeMemory(as: UInt8.self, repeating: 255)
        }

        deinit { bytes.deallocate() }
    }

    private func written(
        _ image: Image, isThreaded: Bool, until last: Int = .max
    ) throws -> (samples: [UInt8], rows: [Int]) {
        let memory = Memory(image.byteCount)
        var rows: [Int] = []
        try image.writePixels(into: memory.bytes, isThreaded: isThreaded) {
            rows.append($0)
            return $0 < last
        }
        return (Array(memory.bytes), rows)
    }

    @Test(
        "all pixels are written, and the announced row count rises to the last row",
        arguments: [true, false])
    func whole(isThreaded: Bool) throws {
        let (samples, rows) = try written(try image(), isThreaded: isThreaded)
        #expect(samples == picture.samples)
        #expect(rows.count > 3 && rows == Array(Set(rows)).sorted() && rows.last == 1000)
    }

    @Test(
        "a quarter turn, which libvips computes in tiles, streams correctly",
        arguments: [true, false])
    func turned(isThreaded: Bool) throws {
        let turned = try image(access: "random").applying("rot", ["angle": "d90"])
        let (samples, _) = try written(turned, isThreaded: isThreaded)
        var expected: [UInt8] = []
        for y in 0..<300 {
            for x in 0..<1000 {
                let start = ((999 - x) * 300 + y) * 3
                expected += picture.samples[start..<start + 3]
            }
        }
        #expect(samples == expected)
    }

    @Test(
        "single rows, single columns and heights beyond a strip stream correctly",
        arguments: [(1, 1), (1, 5000), (5000, 1), (17, 33), (2, 64), (3, 65), (700, 129)],
        [true, false])
    func sizes(_ size: (width: Int, height: Int), isThreaded: Bool) throws {
        let picture = TestPicture.gradient(width: size.width, height: size.height)
        for access in ["sequential", "random"] {
            let image = try Image(
                source: try ImageSource(bytes: Array(try picture.encoded("png"))),
                loader: "pngload_source", options: ["access": .string(access)])
            let (samples, rows) = try written(image, isThreaded: isThreaded)
            #expect(samples == picture.samples)
            #expect(rows.last == size.height && rows == rows.sorted())
        }
    }

    @Test(
        "announced rows are written and do not change", arguments: [true, false])
    func said(isThreaded: Bool) throws {
        let memory = Memory(picture.samples.count)
        var known = 0
        let rowBytes = 900
        try image().writePixels(into: memory.bytes, isThreaded: isThreaded) { rows in
            let new = known * rowBytes..<rows * rowBytes
            #expect(Array(memory.bytes[new]) == Array(picture.samples[new]))
            known = rows
            return true
        }
        #expect(known == 1000)
    }

    @Test(
        "unwanted rows are not computed, which is not a failure",
        arguments: [true, false])
    func unwanted(isThreaded: Bool) throws {
        let (samples, rows) = try written(try image(), isThreaded: isThreaded, until: 100)
        let last = try #require(rows.last)
        #expect(last >= 100 && last < 900)
        #expect(Array(samples[..<(last * 900)]) == Array(picture.samples[..<(last * 900)]))
        #expect(samples.last == 255)
    }

    @Test("a truncated picture fails, and too small a buffer is rejected")
    func failures() throws {
        let whole = Array(try picture.encoded("png"))
        let cut = try Image(
            source: try ImageSource(bytes: Array(whole[..<(whole.count / 2)])),
            loader: "pngload_source", options: ["access": "sequential", "fail_on": "truncated"])
        for isThreaded in [true, false] {
            let memory = Memory(picture.samples.count)
            var last = 0
            #expect(throws: VipsError.self) {
                try cut.writePixels(into: memory.bytes, isThreaded: isThreaded) {
                    last = $0
                    return true
                }
            }
            #expect(last < 1000)
        }
        let small = Memory(picture.samples.count - 1)
        #expect(throws: VipsError.self) {
            try image().writePixels(into: small.bytes, isThreaded: true) { _ in true }
        }
    }

    /// An image in memory, with a test that controls which rows are available.
    private func arriving(
        _ memory: Memory, isCopied: Bool, _ rows: Semaphore
    ) throws -> Image {
        try Image(
            memory: UnsafeRawBufferPointer(memory.bytes), width: 300, height: 1000, bands: 3,
            format: .uchar, interpretation: .srgb, release: { withExtendedLifetime(memory) {} }
        ).streamed(isCopied: isCopied, waiting: rows.wait)
    }

    /// The number of available rows.
    private final class Semaphore: Sendable {
        private let state = Mutex<(rows: Int, end: String?)>((0, nil))
        let waits = Atomic(0)

        func set(_ rows: Int, end: String? = nil) { state.withLock { $0 = (rows, end) } }

        func wait(_ rows: Int) -> String? {
            while true {
                let (there, end) = state.withLock { $0 }
                if there >= rows { return nil }
                if let end { return end }
                waits.add(1, ordering: .relaxed)
                usleep(500)
            }
        }
    }

    @Test("a reader waits for rows that have not arrived", arguments: [true, false])
    func waiting(isCopied: Bool) async throws {
        let memory = Memory(picture.samples.count)
        let rows = Semaphore()
        let image = try arriving(memory, isCopied: isCopied, rows)
        async let read = Self.pixels(of: image)
        // The reader does not wait forever if the test fails.
        defer { rows.set(1000) }
        for there in [300, 301, 999, 1000] {
            let before = rows.waits.load(ordering: .relaxed)
            try await waitUntil("a reader waits") { rows.waits.load(ordering: .relaxed) != before }
            memory.bytes.copyBytes(from: picture.samples[..<(there * 900)])
            rows.set(there)
        }
        #expect(try await read == picture.samples)
    }

    private static func pixels(of image: Image) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try image.pixels() }) }
        }
    }

    @Test("rows that will not arrive fail the image with the reason")
    func ended() throws {
        let memory = Memory(picture.samples.count)
        let rows = Semaphore()
        rows.set(500, end: "the pixels end after 500 of 1000 rows")
        let image = try arriving(memory, isCopied: true, rows)
        let error = #expect(throws: VipsError.self) { try image.pixels() }
        #expect(error?.message.contains("end after 500") == true, "\(error as Any)")
        let above = try arriving(memory, isCopied: true, rows).applying(
            "extract_area", ["left": 0, "top": 100, "width": 300, "height": 400])
        #expect(try above.pixels() == [UInt8](repeating: 255, count: 300 * 400 * 3))
    }

    @Test(
        "mutable memory is copied when read, and immutable memory is not",
        arguments: [true, false])
    func changed(isCopied: Bool) throws {
        let memory = Memory(picture.samples.count)
        memory.bytes.copyBytes(from: picture.samples)
        let rows = Semaphore()
        rows.set(1000)
        let image = try arriving(memory, isCopied: isCopied, rows)
        let region = try #require(vips_region_new(image.pointer))
        defer { g_object_unref(region) }
        var area = VipsRect(left: 0, top: 10, width: 300, height: 2)
        #expect(vips_region_prepare(region, &area) == 0)
        memory.bytes.initializeMemory(as: UInt8.self, repeating: 254)
        let read = UnsafeRawBufferPointer(start: region.pointee.data, count: 900)
        let wanted =
            isCopied ? Array(picture.samples[9000..<9900]) : [UInt8](repeating: 254, count: 900)
        #expect(Array(read) == wanted)
    }
}
