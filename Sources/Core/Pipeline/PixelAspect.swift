/// Sample aspect ratio: width of a pixel over its height, as a fraction; 1:1 is square.
public struct PixelAspect: Sendable, Hashable, Codable {
    /// Width of a pixel in parts, > 0.
    public var width: Int
    /// Height of a pixel in the same parts, > 0.
    public var height: Int

    /// Creates a ratio.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Pixels as wide as high.
    public static let square = PixelAspect(width: 1, height: 1)

    /// The ratio of a picture turned by a quarter.
    public var turned: PixelAspect { PixelAspect(width: height, height: width) }
}
