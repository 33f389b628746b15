// SPDX-License-Identifier: Apache-2.0

/// The aspect ratio of a framed picture, width before height.
enum Aspect: String, Codable {
    /// The aspect ratio of the picture with its border, unchanged.
    case none
    case square = "1:1"
    case fourToFive = "4:5"
    case fiveToFour = "5:4"
    case threeToFour = "3:4"
    case fourToThree = "4:3"
    case twoToThree = "2:3"
    case threeToTwo = "3:2"
    case nineToSixteen = "9:16"
    case sixteenToNine = "16:9"

    /// The width and height of the ratio, such as 4 and 5; nil for `none`.
    var ratio: (width: Int, height: Int)? {
        let numbers = rawValue.split(separator: ":").compactMap { Int($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }
}
