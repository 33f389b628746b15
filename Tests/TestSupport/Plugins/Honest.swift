// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EditingExtensionAPI
import Foundation

/// A well-behaved plug-in in Swift. It inverts colours row by row on Dispatch's threads, after
/// asynchronous tasks have counted to 1000, and uses Foundation's dates, strings and JSON. With the
/// parameter "fault" it traps.
final class Honest: ContentEditingController {
    static let identifier = "org.example.honestswift"
    static let version = "1.0"

    private var input: ContentEditingInput?
    private var hasFault = false

    init() {}

    func canHandle(_ adjustmentData: AdjustmentData) -> Bool {
        adjustmentData.formatIdentifier == Self.identifier
    }

    func startContentEditing(
        with input: ContentEditingInput, placeholderImage: Image
    ) throws {
        self.input = input
    }

    func parameters() throws -> [String: ParameterValue] { ["fault": .boolean(hasFault)] }

    func setParameters(_ values: [String: ParameterValue]) throws {
        if case .boolean(let fault)? = values["fault"] { hasFault = fault }
    }

    func renderPreview() throws -> Image { try started.displaySizeImage }

    func finishContentEditing(completionHandler: @escaping CompletionHandler) throws {
        let input = try started
        if hasFault {
            let nothing: [Int] = []
            _ = nothing[ProcessInfo.processInfo.arguments.count]
        }
        Task.detached {
            let counted = await Honest.count(upTo: 1000)
            do {
                completionHandler(.success(try Honest.output(of: input, counted)))
            } catch {
                completionHandler(.failure(error))
            }
        }
    }

    private static func output(
        of input: ContentEditingInput, _ counted: Int
    ) throws -> ContentEditingOutput {
        let output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = AdjustmentData(
            formatIdentifier: identifier, formatVersion: "1.0", data: try recipe(counted))
        output.image = try turnedAround(try input.fullSizeImage(access: .sequential))
        return output
    }

    /// Counts with concurrent tasks that suspend.
    private static func count(upTo count: Int) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask {
                    await Task.yield()
                    try? await Task.sleep(for: .microseconds(number % 10))
                    return 1
                }
            }
            return await group.reduce(0, +)
        }
    }

    private static func recipe(_ counted: Int) throws -> Data {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy-MM-dd"
        let day = formatter.string(from: Date(timeIntervalSince1970: 0))
        let text = String(format: "%@ %05.1f", day, Double(counted))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(["counted": text, "unit": "rows".uppercased()])
    }

    private static func turnedAround(_ image: Image) throws -> Image {
        var samples = try image.pixels()
        let rowLength = image.width * image.bands
        samples.withUnsafeMutableBufferPointer { buffer in
            // Each row is written by only one iteration.
            nonisolated(unsafe) let rows = buffer
            DispatchQueue.concurrentPerform(iterations: image.height) { row in
                for index in row * rowLength..<(row + 1) * rowLength {
                    rows[index] = 255 - rows[index]
                }
            }
        }
        return try Image(
            bytes: samples, width: image.width, height: image.height, bands: image.bands,
            format: .uchar, interpretation: .srgb)
    }

    func cancelContentEditing() {}

    private var started: ContentEditingInput {
        get throws {
            guard let input else {
                throw EditingExtensionError(code: .failed, message: "the edit was not started")
            }
            return input
        }
    }
}

/// The only symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Honest.self, host: host)
}
