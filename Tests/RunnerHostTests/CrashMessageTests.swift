// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RunnerHost

@Suite("the message of a crash")
struct CrashMessageTests {
    @Test(
        "it is the message of the runtime, or the last line that is no stack frame",
        arguments: [
            ("", nil), ("\n \n", nil), ("one\ntwo\n", "two"),
            (
                "hello\n\nA/A.swift:1: Fatal error: found nil\nCurrent stack trace:\n"
                    + "0    libA.so    0x00007f62e455f130 <unavailable> + 3\n",
                "A/A.swift:1: Fatal error: found nil"
            ),
            (
                "terminate called after throwing an instance of 'std::runtime_error'\n"
                    + "  what():  no LUT loaded\n",
                "terminate called after throwing an instance of 'std::runtime_error' "
                    + "what():  no LUT loaded"
            ),
            (
                "thread '<unnamed>' panicked at src/lib.rs:3:5:\nno LUT\n"
                    + "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
                "thread '<unnamed>' panicked at src/lib.rs:3:5: no LUT"
            ),
            (
                "**\nERROR:m.c:66:finish: assertion failed (1 == 2): (1 == 2)\n"
                    + "Bail out! ERROR:m.c:66:finish: assertion failed (1 == 2): (1 == 2)\n",
                "ERROR:m.c:66:finish: assertion failed (1 == 2): (1 == 2)"
            ),
            ("gain 2\n/lib/libc.so.6(abort+0xd3)[0x7fc1b9c2e472]\n", "gain 2"),
            ("./c(+0x1141)[0x55ead244e141]\n", nil),
        ] as [(String, String?)])
    func reason(log: String, wanted: String?) {
        #expect(CrashMessage(in: log)?.description == wanted)
    }
}
