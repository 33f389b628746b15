// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Looks up each sample in the table of its channel, and then applies the curve of luma.
struct CurveKernel: PlanarPixelKernel {
    /// The result for each level of each channel, in levels, before rounding.
    private let channels: [[Float]]
    /// The differences that the curve of luma makes, in levels, for equally spaced values of luma from 0 to the maximum
    /// level. Nil means that the curve changes nothing.
    private let changes: [Float]?

    /// The number of intervals between the elements of `changes`: as many as between levels of 16 bits, because a curve
    /// may be steep.
    private static let steps = 65535

    /// The weights of red, green and blue in luma, as defined by ITU-R BT.709.
    private static let shares: (Float, Float, Float) = (0.2126, 0.7152, 0.0722)

    /// Prepares the tables of a filter.
    ///
    /// - Parameter depth: The format of the image, which `mapping` checks.
    init(_ filter: Curves, depth: BandFormat) {
        let count = depth == .uchar ? 256 : 65536
        let greatest = Double(count - 1)
        let common = filter.rgb.table(count: count)
        channels = [filter.red, filter.green, filter.blue].map { curve in
            common.map { value in
                Float((curve == .identity ? value : curve.value(at: value)) * greatest)
            }
        }
        changes =
            filter.luminance == .identity
            ? nil
            : (0...Self.steps).map { step in
                let luma = Double(step) / Double(Self.steps)
                return Float((filter.luminance.value(at: luma) - luma) * greatest)
            }
    }

    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ block: PixelBlock<Sample>
    ) {
        guard block.bands >= 3 else { return }
        let (red, green, blue) = (block[0], block[1], block[2])
        let greatest = Float(Sample.max)
        channels[0].withUnsafeBufferPointer { reds in
            channels[1].withUnsafeBufferPointer { greens in
                channels[2].withUnsafeBufferPointer { blues in
                    for pixel in 0..<block.count {
                        let r = reds[Int(red[pixel])]
                        let g = greens[Int(green[pixel])]
                        let b = blues[Int(blue[pixel])]
                        let change = change(r, g, b, greatest)
                        red[pixel] = Self.rounded(r + change, greatest)
                        green[pixel] = Self.rounded(g + change, greatest)
                        blue[pixel] = Self.rounded(b + change, greatest)
                    }
                }
            }
        }
    }

    /// Returns the difference that the curve of luma adds to each channel of a pixel.
    private func change(_ r: Float, _ g: Float, _ b: Float, _ greatest: Float) -> Float {
        guard let changes else { return 0 }
        let luma = Self.shares.0 * r + Self.shares.1 * g + Self.shares.2 * b
        let position = min(max(luma / greatest, 0), 1) * Float(Self.steps)
        let step = min(Int(position), Self.steps - 1)
        return changes[step] + (changes[step + 1] - changes[step]) * (position - Float(step))
    }

    private static func rounded<Sample: FixedWidthInteger & UnsignedInteger>(
        _ level: Float, _ greatest: Float
    ) -> Sample {
        Sample(min(max(level, 0), greatest) + 0.5)
    }
}
