// SPDX-License-Identifier: Apache-2.0

import EditHost

/// The limits on requests. Each has its own status or error code.
package struct StudioLimits: Sendable {
    /// The maximum number of bytes in the body of a request: 413.
    package var bodyBytes = 1 << 20
    /// The time in seconds for the body of a request: 408.
    package var bodySeconds = 30.0
    /// The maximum nesting depth of JSON: 400 `tooDeep`.
    package var jsonDepth = 32
    /// The maximum number of bytes in the header of a request: 431.
    package var headerBytes = 16 << 10
    /// The time in seconds for the header of a request: 408.
    package var headerSeconds = 10.0
    /// The time in seconds after which an idle connection is closed.
    package var idleSeconds = 120.0
    /// The maximum number of connections: 503 `tooManyConnections`.
    package var connections = 256
    /// The maximum number of requests in flight of one login: 429 `tooManyRequests`.
    package var requestsPerLogin = 16
    /// The maximum number of requests of editing sessions in flight of one login. They are counted separately, so that
    /// pictures of a grid do not delay a preview: 429 `tooManyRequests`.
    package var sessionRequestsPerLogin = 16
    /// The maximum number of views of one login: 429 `tooManyViews`.
    package var viewsPerLogin = 20
    /// The maximum number of logins. Beyond it, the least recently used one ends.
    package var logins = 64
    /// The maximum number of wrong tokens within a minute: 429 `tooManyAttempts`.
    package var wrongTokensPerMinute = 10
    /// The maximum number of rows in one answer: 400.
    package var rows = 500
    /// The longest side of a picture in pixels: 400.
    package var pictureSide = 8192
    /// The maximum size of encoded pictures in memory, in bytes.
    package var pictureMemory = 64 << 20
    /// The time in seconds after which an editing session ends if it is not renewed. Pages renew it at each heartbeat.
    package var leaseSeconds = 30.0
    /// The time in seconds that an extension has to answer whether the user must confirm a cancellation. If it does not
    /// answer in time, the user must confirm.
    package var confirmationSeconds = 5.0
    /// The JPEG quality of the previews of editing sessions.
    package var previewQuality = 90
    /// The JPEG quality of small previews of the whole picture. They follow the movement of a control, so they should
    /// be small enough to arrive without delay.
    package var smallPreviewQuality = 85
    /// The longest side of a small preview in pixels.
    package var smallPreviewSide = 1024
    /// The maximum number of uploaded files of one login. Beyond it, the oldest one is removed.
    package var filesPerLogin = 32
    /// The maximum number of bytes of an uploaded file, which is the host's limit: 413.
    package var fileBytes = ParameterFile.maximumSize
    /// The number of events that are kept for pages that reconnect.
    package var keptEvents = 1000
    /// The number of bytes of these events, and of those that wait for a page that reads slowly. One event can name
    /// every photo of a library.
    package var keptEventBytes = 16 << 20
    /// The number of seconds between two heartbeats of a stream of events.
    package var heartbeatSeconds = 10.0
    /// The number of seconds that requests in flight have when the server stops.
    package var shutdownSeconds = 2.0

    /// Creates the default limits.
    package init() {}
}
