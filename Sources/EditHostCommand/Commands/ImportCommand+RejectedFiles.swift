// SPDX-License-Identifier: Apache-2.0

import FileAccess
import JSONOutput
import Library

extension ImportCommand {
    /// Prints the files that imports have rejected.
    func printRejectedFiles() throws {
        let files = try libraryOptions.open(for: .reading).rejectedFiles()
        if general.output.isJSON {
            for file in files { try general.output.printJSON(Self.row(file)) }
            return
        }
        guard !files.isEmpty else { return try general.output.printText(["no rejected files"]) }
        var table = TextTable(["rejected", "size", "file", "reason"], rightColumns: [1])
        for file in files {
            table.add([file.date.tableText, file.byteCount.byteText, file.path, file.reason])
        }
        try general.output.printText(table.lines)
    }

    private static func row(_ file: RejectedFile) -> JSONRow {
        [
            "path": file.path, "pathBytes": file.path.undecodedBytes, "size": file.byteCount,
            "hash": file.hash.hex, "rejectedDate": file.date.universalText,
            "error": file.reason, "errorCode": file.code, "version": file.version,
        ]
    }
}
