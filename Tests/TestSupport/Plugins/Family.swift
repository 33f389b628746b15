// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Foundation

/// Adds 5, and uses everything that the context offers for long work.
struct Gentle: PhotoFilter {
    static let identifier = "org.example.gentle"
    static let version = "1.0"
    /// Whether it runs until it is cancelled.
    var isEndless = false

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        EditingExtension.log(
            "time \(context.time) of \(context.duration), cancelled \(context.isCancelled), threads "
                + "\(context.threadCount > 0)")
        let space = try context.temporarySpace
        let file = space.folder.appendingPathComponent("scratch")
        try Data([1, 2, 3]).write(to: file)
        let bytes = try Data(contentsOf: file).count
        try FileManager.default.removeItem(at: file)
        EditingExtension.log("\(bytes) bytes of \(space.byteLimit.map { "\($0)" } ?? "any number")")
        context.report(progress: 0.25)
        while isEndless {
            do {
                try context.checkCancellation()
            } catch {
                EditingExtension.log("has seen that it is cancelled: \(context.isCancelled)")
                throw error
            }
            usleep(1000)
        }
        context.report(progress: 1)
        return try image.brightened(by: 5)
    }
}

/// Adds 9.
struct Strong: PhotoFilter {
    static let identifier = "org.example.strong"
    static let version = "1.0"

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        try image.brightened(by: 9)
    }
}

/// Serves every manifest that it is installed with. Adds the length of the identifier.
final class Bridge: ContentEditingController {
    static let identifier = "not.counted"
    static let version = "not counted"
    private var input: ContentEditingInput?

    init() {}

    func canHandle(_ adjustmentData: AdjustmentData) -> Bool {
        adjustmentData.formatIdentifier == EditingExtension.manifestIdentifier
    }

    func startContentEditing(with input: ContentEditingInput, placeholderImage: Image) {
        self.input = input
    }

    func finishContentEditing(
        completionHandler: @escaping (ContentEditingOutput?) -> Void
    ) throws {
        guard let input, let identifier = EditingExtension.manifestIdentifier else {
            return completionHandler(nil)
        }
        let output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = AdjustmentData(
            formatIdentifier: identifier, formatVersion: "1.0", data: Data([1]))
        output.image = try input.fullSizeImage(access: .sequential)
            .brightened(by: identifier.utf8.count)
        completionHandler(output)
    }

    func cancelContentEditing() {}
}

extension Image {
    fileprivate func brightened(by amount: Int) throws -> Image {
        try applying(
            "linear", ["a": .doubles([1]), "b": .doubles([Double(amount)]), "uchar": true])
    }
}

/// The only symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    let identifier = host.pointee.identifier.map { String(cString: $0) } ?? ""
    return identifier.hasPrefix("org.example.bridged")
        ? EditingExtension.entry(bridge: Bridge.self, host: host)
        : EditingExtension.entry([Gentle.self, Strong.self], host: host)
}
