// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Hashing
import Hummingbird
import NIOCore

/// The files of the page, read once when the server starts. No text of a request becomes a path.
///
/// The page refers to the other files by paths that begin with the hash of all files. Browsers can therefore cache them
/// without asking whether each has changed, and an update takes effect immediately.
package struct StaticFiles: Sendable {
    private struct File: Sendable {
        let body: ByteBuffer
        let mediaType: String
        let tag: String

        init(_ data: Data, mediaType: String) {
            body = ByteBuffer(bytes: data)
            self.mediaType = mediaType
            tag = "\"\(SHA256Digest(bytes: SHA256.hash(data: data)).hex.prefix(32))\""
        }
    }

    /// The maximum size of all files together, in bytes.
    private static let maximumSize = 4 << 20
    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "json": "application/json",
        "webmanifest": "application/manifest+json", "png": "image/png", "woff2": "font/woff2",
    ]

    private let page: File
    private let files: [String: File]

    /// The paths of the files in URLs, with `/` for the page itself.
    var paths: Set<String> { Set(files.keys).union(["/"]) }

    /// Reads the files of a folder. Files of other types, and those whose names are hidden, are ignored.
    ///
    /// - Throws: `HostError` with `fileFailed` if there is no `index.html`, or a file cannot be read.
    package init(folder: String) throws(HostError) {
        var files: [String: File] = [:]
        var size = 0
        for name in FileManager.default.subpaths(atPath: folder) ?? [] {
            guard let mediaType = Self.mediaType(of: name) else { continue }
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                throw HostError(
                    .fileFailed, "a file of the studio cannot be read: \(folder)/\(name)")
            }
            size += data.count
            guard size <= Self.maximumSize else {
                throw HostError(.fileFailed, "the files of the studio are too large: \(folder)")
            }
            files["/" + name] = File(data, mediaType: mediaType)
        }
        guard let index = files.removeValue(forKey: "/index.html") else {
            throw HostError(
                .fileFailed, "the files of the studio are missing: \(folder)/index.html")
        }
        let prefix = Self.prefix(of: files)
        let page = files.keys.reduce(String(buffer: index.body)) { page, path in
            page.replacing("=\"\(path)\"", with: "=\"\(prefix)\(path)\"")
        }
        self.page = File(Data(page.utf8), mediaType: index.mediaType)
        self.files = Dictionary(uniqueKeysWithValues: files.map { (prefix + $0.key, $0.value) })
    }

    /// Returns a path that changes whenever a file changes.
    private static func prefix(of files: [String: File]) -> String {
        let list = files.map { "\($0.key) \($0.value.tag)\n" }.sorted().joined()
        return "/\(SHA256Digest(bytes: SHA256.hash(data: Data(list.utf8))).hex.prefix(16))"
    }

    /// Returns the media type of a file by its name, or nil if the file is ignored.
    private static func mediaType(of name: String) -> String? {
        let parts = name.split(separator: "/")
        let isPlain = parts.allSatisfy { part in
            !part.hasPrefix(".")
                && part.utf8.allSatisfy { byte in
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                        || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
                }
        }
        return isPlain ? mediaTypes[(name as NSString).pathExtension] : nil
    }

    /// Adds a request for each file.
    func add(to router: Router<StudioContext>) {
        router.get("/") { [page] request, _ -> Response in
            Self.response(page, to: request, [.eTag: page.tag, .cacheControl: "no-cache"])
        }
        for (path, file) in files {
            router.get(RouterPath(path)) { request, _ -> Response in
                Self.response(file, to: request, .immutable(file.tag))
            }
        }
    }

    private static func response(
        _ file: File, to request: Request, _ headers: HTTPFields
    ) -> Response {
        if EntityTag.matches(request.headers[.ifNoneMatch], file.tag) {
            return Response(status: .notModified, headers: headers)
        }
        var response = Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.body))
        response.headers[.contentType] = file.mediaType
        return response
    }
}
