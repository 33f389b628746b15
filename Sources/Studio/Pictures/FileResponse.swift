// SPDX-License-Identifier: Apache-2.0

import EditHost
import Glibc
import Hummingbird
import NIOCore

/// The response with a video, or with the part of it that a request asks for.
enum FileResponse {
    private static let chunkLength = 256 << 10

    /// Returns the response.
    ///
    /// - Parameter headers: Whether, and under which tag, browsers keep it.
    /// - Throws: `StudioError` with `rangeNotSatisfiable`.
    static func response(
        to request: Request, with video: AssetVideo, _ headers: HTTPFields
    ) throws(StudioError) -> Response {
        var headers = headers
        headers[.contentType] = "video/mp4"
        headers[.acceptRanges] = "bytes"
        let range = try ByteRange.of(request.headers[.range], count: video.byteCount)
        guard let range else {
            return Response(
                status: .ok, headers: headers, body: body(of: video, 0..<video.byteCount))
        }
        headers[.contentRange] =
            "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(video.byteCount)"
        return Response(status: .partialContent, headers: headers, body: body(of: video, range))
    }

    private static func body(of video: AssetVideo, _ range: Range<Int>) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let chunk = try read(video, offset, min(chunkLength, range.upperBound - offset))
                offset += chunk.readableBytes
                try await writer.write(chunk)
            }
            try await writer.finish(nil)
        }
    }

    /// Reads bytes. A file that has become shorter fails, and the connection is closed.
    private static func read(
        _ video: AssetVideo, _ offset: Int, _ count: Int
    ) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        let done = try video.withDescriptor { descriptor in
            try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                let done = pread(descriptor, bytes.baseAddress, count, off_t(offset))
                guard done > 0 else { throw StudioError(.failed, "the video cannot be read") }
                return done
            }
        }
        guard done > 0 else { throw StudioError(.failed, "the video cannot be read") }
        return buffer
    }
}
