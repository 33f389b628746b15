// SPDX-License-Identifier: Apache-2.0

extension Movie {
    /// The maximum length of a name in messages; longer names are truncated.
    private static let maximumNameLength = 200
    private static let maximumReferences = 1024

    /// Returns the external files that the tracks refer to. The files are not opened.
    ///
    /// See Apple's *QuickTime File Format*, "Data reference atoms", and ISO/IEC 14496-12, 8.7.
    ///
    /// - Throws: `damaged`, `tooLarge`.
    package func externalMedia() throws(MovieError) -> [ExternalMedia] {
        var found: [ExternalMedia] = []
        for (position, track) in tracks.enumerated() {
            let media = try bytes.children(of: track.children.only("mdia"))
            let information = try bytes.children(of: media.only("minf"))
            guard let data = try information.optional("dinf"),
                let table = try bytes.children(of: data).optional("dref")
            else { continue }
            let references = try references(in: table)
            // One name per track is sufficient, although each sample format can have its own.
            for index in try referenceIndexes(of: track).sorted()
            where references.indices.contains(index - 1) {
                guard let name = try name(references[index - 1]) else { continue }
                found.append(ExternalMedia(handler: track.handler, name: name, track: position))
                break
            }
        }
        return found
    }

    private func references(in table: Box) throws(MovieError) -> [Box] {
        _ = try bytes.entryCount(
            at: 4, width: 8, limit: Self.maximumReferences, in: table)
        let range = table.contents
        return try bytes.boxes(in: range.lowerBound + 8..<range.upperBound)
    }

    /// Returns the 1-based data reference indexes of the track's sample descriptions.
    private func referenceIndexes(of track: Track) throws(MovieError) -> Set<Int> {
        let range = try track.sampleTable.only("stsd").contents
        var indexes: Set<Int> = []
        for format in try bytes.boxes(in: range.lowerBound + 8..<range.upperBound) {
            indexes.insert(Int(try bytes.number(2, at: 6, in: format.contents)))
        }
        return indexes
    }

    /// Returns the name of the file that a data reference points to; `nil` for the movie file itself.
    private func name(_ reference: Box) throws(MovieError) -> String? {
        let flags = try bytes.number(3, at: 1, in: reference.contents)
        guard flags & 1 == 0 else { return nil }
        let content = bytes.bytes[reference.contents].dropFirst(4)
        let text = reference.type == "alis" ? Self.aliasName(content) : content.prefix { $0 != 0 }
        guard !text.isEmpty else { return nil }
        return String(decoding: text.prefix(Self.maximumNameLength), as: UTF8.self)
    }

    /// Returns the name in a classic Mac OS alias record; empty if there is none.
    ///
    /// The name is at byte 50, after its length. Otherwise, it is a path in the fields that start at byte 150, with tag
    /// 2 or, for a POSIX path, 18.
    private static func aliasName(_ record: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let name = record.dropFirst(50)
        let short = name.dropFirst().prefix(Int(min(name.first ?? 0, 63)))
        guard short.isEmpty else { return short }
        var rest = record.dropFirst(150)
        while rest.count >= 4 {
            let head = rest.prefix(4).map(Int.init)
            let (tag, length) = (head[0] << 8 | head[1], head[2] << 8 | head[3])
            rest = rest.dropFirst(4)
            if tag == 2 || tag == 18 { return rest.prefix(length) }
            rest = rest.dropFirst(length + length % 2)
        }
        return []
    }
}
