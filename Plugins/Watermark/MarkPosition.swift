// SPDX-License-Identifier: Apache-2.0

/// The position of a mark in a picture.
enum MarkPosition: String, Codable {
    case topLeft = "top-left"
    case top
    case topRight = "top-right"
    case left
    case center
    case right
    case bottomLeft = "bottom-left"
    case bottom
    case bottomRight = "bottom-right"

    /// The fraction of the horizontal space that is to the left of the mark: 0, 1/2 or 1.
    var horizontal: Double {
        switch self {
        case .topLeft, .left, .bottomLeft: 0
        case .top, .center, .bottom: 0.5
        case .topRight, .right, .bottomRight: 1
        }
    }

    /// The fraction of the vertical space that is above the mark: 0, 1/2 or 1.
    var vertical: Double {
        switch self {
        case .topLeft, .top, .topRight: 0
        case .left, .center, .right: 0.5
        case .bottomLeft, .bottom, .bottomRight: 1
        }
    }
}
