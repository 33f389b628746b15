// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import TestSupport
import Vips

/// The facts that a runner reports about a file and its XMP sidecars.
enum PictureFacts {
    /// The facts of a file. Passes the processor time spent on them, in seconds, to `used`.
    static func of(
        _ file: TestFile, sidecars: [TestFile] = [], used: (Double) -> Void = { _ in }
    ) throws -> PhotoFacts {
        let runner = try TestRunner()
        let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
        let reply = try runner.request(.run(job), [(.base, file.number)])
        let beside = try sidecars.map { sidecar in
            let reply = try runner.request(.readSidecar, [(.sidecar, sidecar.number)])
            guard case .sidecar(let facts) = reply else { throw unexpected(reply) }
            return facts
        }
        used(runner.processorTime)
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        var facts = try #require(report.facts)
        facts.add(beside)
        return facts
    }

    /// The facts of a small picture tagged by ExifTool.
    static func tagged(
        _ arguments: [String], format: String = "jpeg", sidecars: [String] = [],
        _ tool: ExifTool? = nil
    ) throws -> PhotoFacts {
        let file = try (tool ?? ExifTool())
            .tagging(try picture(format), format == "jpeg" ? "jpg" : format, arguments)
        return try of(file, sidecars: try sidecars.map { try TestFile(Array($0.utf8)) })
    }

    /// The facts of a small picture with this XMP.
    static func described(
        by properties: String, attributes: String = "", format: String = "jpeg"
    ) throws -> PhotoFacts {
        let tool = try ExifTool()
        let path = try tool.file(Array(packet(properties, attributes: attributes).utf8), "packet")
        return try tagged(["-XMP<=\(path)"], format: format, tool)
    }

    /// XMP with these elements and attributes.
    static func packet(_ properties: String, attributes: String = "") -> String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
         xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
         xmlns:exif="http://ns.adobe.com/exif/1.0/" \(attributes)>\(properties)</rdf:Description>
        </rdf:RDF></x:xmpmeta>
        """
    }

    /// A small picture in a format.
    static func picture(_ format: String = "jpeg") throws -> [UInt8] {
        let saver = format == "heic" ? "heif" : format
        let options: [String: OperationValue] = format == "jpeg" ? ["strip": true] : [:]
        return try TestPicture.image(width: 64, height: 48)
            .encoded(saver: "\(saver)save_buffer", options: options)
    }
}

/// Numbers as stored in files.
enum FileNumber {
    /// A little-endian number of `length` bytes.
    static func little(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// A big-endian number of `length` bytes.
    static func big(_ number: Int, _ length: Int) -> [UInt8] {
        little(number, length).reversed()
    }
}
