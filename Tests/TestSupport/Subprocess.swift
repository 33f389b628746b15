// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a program said and how it ended.
public struct ProcessResult: Sendable {
    /// What it wrote to stdout.
    public let output: String
    /// What it wrote to stderr.
    public let errors: String
    /// Its exit status; 128 and the signal's number where a signal ended it.
    public let status: Int32
}

/// Runs a program to its end, reading what it writes meanwhile.
public func runProgram(
    _ path: String, _ arguments: [String], environment: [String: String]? = nil,
    folder: String? = nil
) throws -> ProcessResult {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    if let environment { process.environment = environment }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let reading = Reading(errors)
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return ProcessResult(
        output: String(decoding: text, as: UTF8.self), errors: reading.text,
        status: process.terminationReason == .exit
            ? process.terminationStatus : 128 + process.terminationStatus)
}

/// Reads a pipe to its end on a thread of its own.
///
/// Unchecked: `data` is written before the semaphore is signalled and read after it.
private final class Reading: @unchecked Sendable {
    private var data = Data()
    private let done = DispatchSemaphore(value: 0)

    init(_ pipe: Pipe) {
        let handle = pipe.fileHandleForReading
        Thread { [self] in
            data = handle.readDataToEndOfFile()
            done.signal()
        }.start()
    }

    var text: String {
        done.wait()
        return String(decoding: data, as: UTF8.self)
    }
}
