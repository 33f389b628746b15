// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Foundation
import RunnerProtocol
import Testing
import Vips

/// Runners that write and read pixels while they are streamed.
@Suite("pixels streamed between runners")
struct StreamedBufferTests {
    private static let (width, height) = (400, 900)

    /// Both ends of the socket that reports the number of finished rows.
    private final class RowSockets {
        let reading: Int32
        private(set) var writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard csandbox_socket_pair(&ends) == 0 else { throw TestRunner.Failed("no sockets") }
            (reading, writing) = (ends[0], ends[1])
        }

        deinit {
            close(reading)
            end()
        }

        func say(_ rows: UInt32) {
            withUnsafeBytes(of: rows.littleEndian) {
                _ = send(writing, $0.baseAddress, 4, Int32(MSG_NOSIGNAL))
            }
        }

        func say(bytes: [UInt8]) {
            _ = send(writing, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        func end() {
            if writing >= 0 { close(writing) }
            writing = -1
        }

        /// The row counts that the other side sent before it closed its end.
        func said() -> [UInt32] {
            end()
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(reading, &buffer, buffer.count)
                guard count > 0 else { break }
                bytes += buffer[..<count]
            }
            return stride(from: 0, to: bytes.count / 4 * 4, by: 4).map { start in
                bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
        }
    }

    /// Memory of a fixed size.
    private static func memory(_ byteCount: Int) throws -> TestFile {
        let file = try TestFile()
        guard ftruncate(file.number, off_t(byteCount)) == 0, csandbox_seal_size(file.number) == 0
        else { throw TestRunner.Failed("no room") }
        return file
    }

    private static let layout = UncompressedLayout(
        width: width, height: height, pixelFormat: .rgb8, profile: .sRGB)

    private static func encoding(_ format: MediaFormat = .png) -> RunnerRequest {
        .run(
            RenderJob(
                input: RenderInput(base: .raw(layout)),
                output: .encoded(EncodeSettings(format: format))))
    }

    private static func announced(
        _ runner: TestRunner, _ base: TestFile
    ) throws -> UncompressedLayout {
        let reply = try runner.request(
            .run(RenderJob(input: RenderInput(base: .encoded(.png)), output: .raw)),
            [(.base, base.number), (.metadataSource, base.number)])
        guard case .outputNeeded(let layout) = reply else { throw unexpected(reply) }
        return layout
    }

    @Test("one runner decodes and encodes concurrently and answers both requests")
    func both() throws {
        let runner = try TestRunner()
        let base = try TestPicture.png(width: Self.width, height: Self.height)
        let layout = try Self.announced(runner, base)
        let pixels = try Self.memory(layout.byteCount)
        let rows = try RowSockets()
        let decoding = try runner.send(
            .takeOutput, [(.reusedOutput, pixels.number), (.writtenRows, rows.writing)])
        let output = try TestFile()
        let encoding = try runner.send(
            Self.encoding(),
            [
                (.base, pixels.number), (.rowProgress, rows.reading), (.output, output.number),
            ])
        for number in [encoding, decoding] {
            guard case .rendered(let report) = try runner.answer(to: number) else {
                throw TestRunner.Failed("\(number)")
            }
            #expect(report.byteCount > 0)
        }
        let expected = try TestPicture.image(width: Self.width, height: Self.height).pixels()
        #expect(try output.image().pixels() == expected)
        #expect(pixels.bytes == expected)
    }

    @Test("few messages announce all rows, and the answer ends them")
    func words() throws {
        let runner = try TestRunner()
        let base = try TestPicture.png(width: Self.width, height: 5000)
        let layout = try Self.announced(runner, base)
        let pixels = try Self.memory(layout.byteCount)
        let rows = try RowSockets()
        let reply = try runner.request(
            .takeOutput, [(.reusedOutput, pixels.number), (.writtenRows, rows.writing)])
        guard case .rendered = reply else { throw unexpected(reply) }
        let said = rows.said()
        #expect(said == Array(Set(said)).sorted() && said.last == 5000)
        // So few messages fit into the socket without a reader.
        #expect((2...40).contains(said.count), "\(said.count)")
    }

    @Test("unread rows are not decoded, and the answer is not a failure")
    func unread() throws {
        let runner = try TestRunner()
        let base = try TestPicture.png(width: Self.width, height: 5000)
        let layout = try Self.announced(runner, base)
        let pixels = try Self.memory(layout.byteCount)
        var ends: [Int32] = [-1, -1]
        #expect(csandbox_socket_pair(&ends) == 0)
        close(ends[0])
        let number = try runner.send(
            .takeOutput, [(.reusedOutput, pixels.number), (.writtenRows, ends[1])])
        close(ends[1])
        guard case .rendered = try runner.answer(to: number) else {
            throw TestRunner.Failed("it failed")
        }
        #expect(pixels.bytes.suffix(1000).allSatisfy { $0 == 0 })
        // The runner survives.
        _ = try Self.announced(runner, base)
    }

    @Test("an encoder waits for rows and reads them once available")
    func waits() throws {
        let runner = try TestRunner()
        let picture = try TestPicture.image(width: Self.width, height: Self.height).pixels()
        let pixels = try Self.memory(picture.count)
        let rows = try RowSockets()
        let output = try TestFile()
        let number = try runner.send(
            Self.encoding(),
            [
                (.base, pixels.number), (.rowProgress, rows.reading), (.output, output.number),
            ])
        let half = Self.height / 2 * Self.width * 3
        #expect(pwrite(pixels.number, picture, half, 0) == half)
        rows.say(UInt32(Self.height / 2))
        let rest = Array(picture[half...])
        #expect(pwrite(pixels.number, rest, rest.count, off_t(half)) == rest.count)
        rows.say(UInt32(Self.height))
        guard case .rendered = try runner.answer(to: number) else {
            throw TestRunner.Failed("it failed")
        }
        #expect(try output.image().pixels() == picture)
    }

    @Test(
        "missing rows or an impossible count fail the encoding immediately",
        arguments: [
            [], [200], [901], [RowProgressPacket.none], [200, RowProgressPacket.none],
            [RowProgressPacket.none, 900],
            [500, 499],
        ] as [[UInt32]])
    func lies(said: [UInt32]) throws {
        try expectFailure { rows in
            for count in said { rows.say(count) }
        }
    }

    @Test("a packet that is not a number fails the encoding", arguments: [0, 1, 3, 5, 8, 4000])
    func packets(length: Int) throws {
        try expectFailure { $0.say(bytes: [UInt8](repeating: 0, count: length)) }
    }

    private func expectFailure(_ say: (RowSockets) -> Void) throws {
        let runner = try TestRunner()
        let pixels = try Self.memory(Self.layout.byteCount)
        let rows = try RowSockets()
        let output = try TestFile()
        let number = try runner.send(
            Self.encoding(.jpeg),
            [
                (.base, pixels.number), (.rowProgress, rows.reading), (.output, output.number),
            ])
        say(rows)
        rows.end()
        guard case .failed(let failure) = try runner.answer(to: number) else {
            throw TestRunner.Failed("it did not fail")
        }
        #expect(failure.code == .badInput)
        #expect(failure.message.contains("rows"), "\(failure.message)")
        _ = try Self.announced(runner, try TestPicture.png())
    }

    @Test("an undecodable picture fails the stream and nothing else")
    func damaged() throws {
        let runner = try TestRunner()
        let whole = try TestPicture.png(width: Self.width, height: Self.height).bytes
        let base = try TestFile(Array(whole[..<(whole.count / 2)]))
        let layout = try Self.announced(runner, base)
        let pixels = try Self.memory(layout.byteCount)
        let rows = try RowSockets()
        let number = try runner.send(
            .takeOutput, [(.reusedOutput, pixels.number), (.writtenRows, rows.writing)])
        let other = try Self.announced(runner, try TestPicture.png())
        #expect(other.width == 40)
        guard case .failed(let failure) = try runner.answer(to: number) else {
            throw TestRunner.Failed("it did not fail")
        }
        #expect(failure.code == .badInput)
        #expect(failure.extensionIdentifier == nil)
        #expect(rows.said().last ?? 0 < 900)
    }

    @Test("an extension reads arriving rows in any order")
    func extensionReads() throws {
        let picture = try TestPicture.image(width: Self.width, height: Self.height).pixels()
        for mode in ["batch", "random"] {
            let runner = try TestRunner()
            let loaded = try runner.loadRecorder(mode: mode, pixelFormats: [.rgb8])
            guard loaded == .loaded else { throw unexpected(loaded) }
            let pixels = try Self.memory(picture.count)
            let rows = try RowSockets()
            var input = RenderInput(
                base: .raw(Self.layout),
                steps: [
                    RenderStep(
                        extensionIdentifier: "org.example.recorder",
                        adjustmentData: try .recorder())
                ])
            input.moment = nil
            let output = try TestFile()
            let number = try runner.send(
                .run(
                    RenderJob(
                        input: input,
                        output: .encoded(EncodeSettings(format: .png, bitsPerSample: 16)))),
                [
                    (.reusedBase, pixels.number), (.rowProgress, rows.reading),
                    (.output, output.number),
                ])
            #expect(pwrite(pixels.number, picture, picture.count, 0) == picture.count)
            rows.say(300)
            rows.say(UInt32(Self.height))
            guard case .rendered = try runner.answer(to: number) else {
                throw TestRunner.Failed("it failed")
            }
            if mode == "batch" {
                try expectInverted(try output.image(), width: Self.width, height: Self.height)
            } else {
                let turned = try output.image()
                #expect(turned.width == Self.height && turned.height == Self.width)
            }
        }
    }
}
