// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The video of a Motion Photo: taken out of the file, and what is said of one that will be appended.
extension JPEGRewriter {
    /// What becomes of the video.
    var motionVideo: MetadataChanges.Change<AppendedVideo>? {
        settings.metadataChanges?.motionVideo
    }

    /// Whether the file becomes a Motion Photo.
    var isMotionPhoto: Bool {
        if case .set = motionVideo { true } else { false }
    }

    /// What comes behind the header: the file from the first scan on, without the video where one is set or
    /// removed.
    ///
    /// - Returns: nil where other pictures lie behind the video: they would not be found any more.
    func rest(_ header: JPEGHeader) -> [RewrittenFile.Part]? {
        // What lies behind the picture may say anything.
        guard isWhole else { return [.old(header.scan..<header.end(bytes))] }
        guard motionVideo != nil else { return [.old(header.scan..<bytes.count)] }
        var (end, trailer) = (bytes.count, [UInt8]())
        if let old = SamsungTrailer(bytes, end: bytes.count), old.video(bytes) != nil,
            old.range.lowerBound >= header.end(bytes)
        {
            end = old.range.lowerBound
            trailer = old.withoutVideo(bytes)
        }
        var parts: [RewrittenFile.Part]
        if let video = MotionVideo(bytes, .jpeg, xmp: blocks.xmp).video?
            .range(inFileOfLength: bytes.count)
        {
            guard !JPEGMarks(bytes).furtherPictures.contains(where: { $0 >= video.upperBound })
            else { return nil }
            parts = [.old(header.scan..<min(video.lowerBound, end))]
            if video.upperBound < end { parts.append(.old(video.upperBound..<end)) }
        } else {
            parts = [.old(header.scan..<end)]
        }
        return trailer.isEmpty ? parts : parts + [.new(trailer)]
    }

    /// The segments of XMP that says nothing of a video, with what is to be said of one.
    ///
    /// - Returns: nil where they have no room.
    func xmpSegments(
        _ packet: XMPPacket?, _ header: JPEGHeader, _ rest: [RewrittenFile.Part]
    ) -> [[UInt8]]? {
        guard case .set(let video) = motionVideo else {
            return packet.map { JPEGMetadata.segments($0) } ?? []
        }
        let picture = header.end(bytes) - header.scan
        let padding = rest.reduce(0) { $0 + $1.count } - picture
        let packet = packet ?? .empty
        let segments = JPEGMetadata.segments(packet) {
            $0.describing(video, padding: max(0, padding))
        }
        // Divided, the packet would have the video alone in its directory, and not what is named there beside.
        if segments?.count ?? 0 > 1, MotionClaims(packet).items != nil { return nil }
        return segments
    }
}
