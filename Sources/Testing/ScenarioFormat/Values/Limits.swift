/// Ranges of a scenario's quantities: more than anybody films, and far from where arithmetic with it leaves a type's range.
///
/// A number from outside is held against these where it is read, so that whoever computes with it need not ask.
enum Limits {
    /// From a centimetre to what no camera resolves.
    static let metres = 0.001...10_000.0
    /// The sun at noon gives 120,000.
    static let lux = 0.0...1_000_000
    static let degrees = -360.0...360
    static let fNumber = 0.5...64.0
    /// A lens's, millimetres.
    static let focalLength = 1.0...10_000
    /// Measured in pixels: a focal length, a blur.
    static let pixels = 0.001...1_000_000.0
    /// Audible frequencies.
    static let hertz = 20.0...20_000
    /// Sides and places of boxes, in widths and heights of the picture.
    static let box = -20.0...20
    /// Of a scenario's text.
    static let bytes = 16 << 20
    /// Characters of a name, which stands in reports and in every line of a trace.
    static let name = 100
    /// As many as a crowd; what is done for each and each other stays below a millisecond a frame.
    static let subjects = 1000
    /// Numbers without a unit: points, disparities, factors, weights.
    static let plain = -1_000_000.0...1_000_000
    /// The least that a plain number may be without being 0, so that what divides by it stays finite.
    static let leastPlain = 1e-6
}
