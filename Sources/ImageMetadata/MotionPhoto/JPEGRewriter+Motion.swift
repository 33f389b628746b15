// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// Removes the video of a Motion Photo, and describes a video that is going to be appended.
extension JPEGRewriter {
    /// The change to the embedded video.
    var motionVideo: MetadataChanges.Change<AppendedVideo>? {
        settings.metadataChanges?.motionVideo
    }

    /// Whether the output is a Motion Photo.
    var isMotionPhoto: Bool {
        if case .set = motionVideo { true } else { false }
    }

    /// Returns the parts of the file starting with the first scan, without the video if it is replaced or removed.
    ///
    /// - Returns: The parts, or `nil` if pictures follow the video, because their offsets would be wrong.
    func rest(_ header: JPEGHeader) -> [RewrittenFile.Part]? {
        // The data after the picture may contain any metadata.
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
            guard
                !JPEGAuxiliaryPictures(bytes).additionalPictures.contains(where: {
                    $0 >= video.upperBound
                })
            else { return nil }
            parts = [.old(header.scan..<min(video.lowerBound, end))]
            if video.upperBound < end { parts.append(.old(video.upperBound..<end)) }
        } else {
            parts = [.old(header.scan..<end)]
        }
        return trailer.isEmpty ? parts : parts + [.new(trailer)]
    }

    /// Returns the XMP segments of a packet, in which the claims of the new video replace all others.
    ///
    /// - Returns: The segments, or `nil` if they are too long.
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
        // A split packet would list only the video in its directory, without the other items.
        if segments?.count ?? 0 > 1, MotionPhotoMetadata(packet).items != nil { return nil }
        return segments
    }
}
