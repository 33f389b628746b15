// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Standard output that accepts no data, or accepts it late.
@Suite("unwritable output")
struct OutputFailureTests {
    private func run(
        _ script: String, _ bench: Workbench, _ command: [String]
    ) throws -> ProcessResult {
        try runProgram(
            "/bin/sh", ["-c", script, Workbench.command] + command,
            environment: bench.environment(), folder: bench.folder.path)
    }

    private static let commands = [
        ["list"], ["list", "--json"], ["help"], ["--help"], ["help", "edit"], ["--version"],
        ["--generate-completion-script", "bash"], ["--experimental-dump-help"],
        ["extensions", "list"], ["extensions", "list", "--json"],
    ]

    @Test("a full disk ends every command with 74 and a message", arguments: commands)
    func full(command: [String]) throws {
        let (bench, _) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let result = try run("exec \"$0\" \"$@\" >/dev/full", bench, command)
        #expect(result.status == 74, "\(result.errors)")
        #expect(
            result.errors
                == "edithost: cannot write standard output: No space left on device\n")
    }

    @Test("a file size limit is reported")
    func fileLimit() throws {
        let bench = try Workbench()
        let result = try run(
            "ulimit -f 1; exec \"$0\" \"$@\" >large", bench,
            ["--generate-completion-script", "fish"])
        #expect(result.status == 74 && result.errors.contains("File too large"), "\(result.errors)")
    }

    @Test(
        "a closed pipe ends every command with 141 and no message",
        arguments: commands)
    func closed(command: [String]) throws {
        let (bench, _) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        // The reader has closed the pipe before the command starts.
        let script = """
            mkfifo pipe; exec 3<>pipe 4>pipe; exec 3>&-; "$0" "$@" >&4; echo $? >status
            """
        let result = try run(script, bench, command)
        let status = try String(contentsOfFile: bench.folder.file("status"), encoding: .utf8)
        #expect(status == "141\n" && result.errors.isEmpty, "\(result.errors)")
    }

    @Test("a full non-blocking pipe receives all output")
    func nonBlocking() throws {
        let bench = try Workbench()
        let script = #"""
            import array, fcntl, os, subprocess, sys, termios
            reading, writing = os.pipe()
            os.set_blocking(writing, False)
            child = subprocess.Popen(sys.argv[1:], stdout=writing)
            size = fcntl.fcntl(writing, 1032)
            os.close(writing)
            waiting = array.array("i", [0])
            while waiting[0] < size - 4096 and child.poll() is None:
                fcntl.ioctl(reading, termios.FIONREAD, waiting)
            total = b""
            while piece := os.read(reading, 65536): total += piece
            sys.stdout.buffer.write(total)
            sys.exit(child.wait())
            """#
        let arguments = ["--generate-completion-script", "fish"]
        let result = try runProgram(
            "/usr/bin/env", ["python3", "-c", script, Workbench.command] + arguments,
            environment: bench.environment())
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.utf8.count > 1 << 17)
        #expect(try result.output == bench.run(arguments).output)
    }
}
