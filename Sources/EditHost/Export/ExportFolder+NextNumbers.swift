// SPDX-License-Identifier: Apache-2.0

import FileAccess
import RunnerHost

/// Numbers of files with the same name. Without a memory of them, each search would begin at the first one.
extension ExportFolder {
    /// Returns the number at which the search for free names begins. This export has given the smaller ones to other
    /// assets.
    func firstNumber(for files: [NewFile.Named], _ earlier: EarlierExport) -> Int {
        // Without a record, an identical file of another asset counts as written. An asset can get its own names again.
        guard isRecording, earlier.ownNames.isEmpty, files.allSatisfy(\.name.isNumbered),
            let key = numberKey(of: files)
        else { return 0 }
        return nextNumbers[key] ?? 0
    }

    /// Records that files got a number, unless a smaller one may suit other files.
    mutating func give(_ number: Int, to files: [NewFile.Named]) {
        guard let key = numberKey(of: files), number == nextNumbers[key] ?? 0 else { return }
        nextNumbers[key] = number + 1
    }

    /// The first file's name with the number 1, which also shows the place of the number.
    private func numberKey(of files: [NewFile.Named]) -> FileName? {
        NewFile.names(of: Array(files.prefix(1)), number: 1, in: folder).first
    }
}
