import Foundation

/// Rows of interleaved values without gaps, whose memory stays where it is.
final class Plane<Value: Numeric & Sendable>: @unchecked Sendable {
    let width: Int
    let height: Int
    let channels: Int
    let values: UnsafeMutableBufferPointer<Value>

    /// Creates a plane from a function of place and channel; all 0 without one.
    init(_ width: Int, _ height: Int, channels: Int = 1, _ value: (Int, Int, Int) -> Value = { _, _, _ in 0 }) {
        self.width = width
        self.height = height
        self.channels = channels
        values = .allocate(capacity: width * height * channels)
        for y in 0..<height {
            for x in 0..<width { for c in 0..<channels { values.initializeElement(at: (y * width + x) * channels + c, to: value(x, y, c)) } }
        }
    }

    deinit { values.deallocate() }

    var base: UnsafeMutablePointer<Value> { values.baseAddress! }

    subscript(x: Int, y: Int) -> Value {
        get { values[y * width + x] }
        set { values[y * width + x] = newValue }
    }

    /// Takes the values of a plane of the same size.
    func copy(_ other: Plane) { base.update(from: other.base, count: values.count) }
}
