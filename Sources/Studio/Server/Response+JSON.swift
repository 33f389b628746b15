// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import JSONOutput
import NIOCore

extension Response {
    /// Creates a response with the JSON that commands would print.
    static func json(_ row: JSONRow, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: try JSONText.of(row))))
    }

    /// A response without content.
    static var noContent: Response { Response(status: .noContent) }
}
