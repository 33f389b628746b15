// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import TestSupport

/// The file that an extension wrote as its output, which is opened on completion and copied later.
@Suite("rendered files")
struct RenderedFileTests {
    private static let adder = "org.example.adder"

    /// A session with the adder in the given mode.
    private func session(_ mode: String) throws -> TestRunner {
        let runner = try TestRunner()
        let json = """
            {"identifier": "\(Self.adder)", "version": "1.0", "pixelFormats": ["rgb8"],
             "access": "sequential"}
            """
        let adder = try JSONDecoder().decode(LoadedExtension.self, from: Data(json.utf8))
        let library = try TestFile(path: try TestPlugin.build("adder"))
        #expect(try runner.request(.load(adder), [(.library, library.number)]) == .loaded)
        #expect(try runner.request(.open(extensionIdentifier: Self.adder)) == .done)
        let base = try TestPicture.png()
        let start = SessionStart(
            input: RenderInput(base: .encoded(.png)), adjustmentData: nil, placeholder: nil,
            mediaType: .image, mediaSubtypes: [], creationDate: nil, location: nil,
            contentType: "image/png", renderedContentType: "image/png")
        guard case .parameters = try runner.request(.start(start), [(.base, base.number)]),
            case .parameters = try runner.request(
                .setParameters(Data("{\"mode\":\"\(mode)\"}".utf8)))
        else { throw TestRunner.Failed("not started") }
        return runner
    }

    /// The path of the first file for which the extension requests one.
    private func place(_ runner: TestRunner) -> String {
        runner.folder.appendingPathComponent("rendered-1.tif").path
    }

    @Test(
        "a link, FIFO, socket or folder is not an output and does not block")
    func noRegularFile() throws {
        let secret = try TestPicture.image(width: 9, height: 9)
            .encoded(saver: "tiffsave_buffer")
        let makers: [(String, (String, TestRunner) throws -> Void)] = [
            (
                "link",
                { place, runner in
                    let target = runner.folder.appendingPathComponent("secret").path
                    try Data(secret).write(to: URL(fileURLWithPath: target))
                    try #require(symlink(target, place) == 0)
                }
            ),
            ("FIFO", { place, _ in try #require(mkfifo(place, 0o600) == 0) }),
            ("folder", { place, _ in try #require(mkdir(place, 0o700) == 0) }),
            ("nothing", { _, _ in }),
        ]
        for (what, make) in makers {
            let runner = try session("file-unwritten")
            try make(place(runner), runner)
            guard case .failed(let failure) = try runner.request(.finish) else {
                Issue.record("a \(what) was taken")
                continue
            }
            #expect(failure.code == .extensionFailed, "\(what)")
            #expect(failure.extensionIdentifier == Self.adder)
            #expect(failure.message.contains("no file at "), "\(failure)")
        }
    }

    @Test("a file written next to its path is named")
    func beside() throws {
        let runner = try session("file-unwritten")
        let other = runner.folder.appendingPathComponent("picture.jpg")
        try Data("a picture".utf8).write(to: other)
        guard case .failed(let failure) = try runner.request(.finish) else {
            Issue.record("another file was taken")
            return
        }
        #expect(failure.message.contains("no file at \(runner.folder.path)/rendered-"))
        #expect(failure.message.contains("; found picture.jpg"), "\(failure)")
    }

    @Test("a file put into the path later is not the announced output")
    func laterFile() throws {
        let runner = try session("file")
        guard case .finished(.some) = try runner.request(.finish) else {
            throw TestRunner.Failed("not finished")
        }
        let place = place(runner)
        try #require(unlink(place) == 0)
        try #require(symlink("/etc/hostname", place) == 0)
        let copy = try TestFile()
        #expect(try runner.request(.takeFile, [(.output, copy.number)]) == .done)
        #expect(Array(copy.bytes.prefix(2)) == Array("II".utf8))
        #expect(try copy.image().width == 40)
        // The end of the edit removes its files from the folder.
        #expect(try runner.request(.close) == .done)
        #expect(try FileManager.default.contentsOfDirectory(atPath: runner.folder.path) == [])
    }

    @Test("copying a sparse file copies only what was written")
    func sparse() throws {
        let runner = try session("file-sparse")
        guard case .finished(.some) = try runner.request(.finish) else {
            throw TestRunner.Failed("not finished")
        }
        let copy = try TestFile()
        #expect(try runner.request(.takeFile, [(.output, copy.number)]) == .done)
        var status = stat()
        try #require(fstat(copy.number, &status) == 0)
        #expect(status.st_size == 3 << 30)
        #expect(status.st_blocks * 512 < 1 << 20)
    }

    @Test("a missing file is an error, and a job's file is removed by the next request")
    func nothingWaits() throws {
        let runner = try session("plain")
        let copy = try TestFile()
        guard case .finished(.some) = try runner.request(.finish),
            case .failed(let failure) = try runner.request(.takeFile, [(.output, copy.number)])
        else { throw TestRunner.Failed("something was taken") }
        #expect(failure.code == .badRequest)
    }
}
