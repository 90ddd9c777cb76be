import CoreVideo
import Foundation

/// Texts of geometry, in braces: `{1, 2}` of a point or a size, `{{1, 2}, {3, 4}}` of a rectangle.
extension NSCoder {
    /// Returns the text of a point.
    public class func string(for point: CGPoint) -> String { text([point.x, point.y]) }
    /// Returns the text of a size.
    public class func string(for size: CGSize) -> String { text([size.width, size.height]) }
    /// Returns the text of a vector.
    public class func string(for vector: CGVector) -> String { text([vector.dx, vector.dy]) }
    /// Returns the text of a rectangle.
    public class func string(for rect: CGRect) -> String { "{\(string(for: rect.origin)), \(string(for: rect.size))}" }
    /// Returns the text of a map: a, b, c, d, tx, ty.
    public class func string(for transform: CGAffineTransform) -> String {
        text([transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty])
    }

    /// Makes the point of a text; zero for another text.
    public class func cgPoint(for string: String) -> CGPoint { numbers(string, 2).map { CGPoint(x: $0[0], y: $0[1]) } ?? .zero }
    /// Makes the size of a text; zero for another text.
    public class func cgSize(for string: String) -> CGSize { numbers(string, 2).map { CGSize(width: $0[0], height: $0[1]) } ?? .zero }
    /// Makes the rectangle of a text; zero for another text.
    public class func cgRect(for string: String) -> CGRect {
        numbers(string, 4).map { CGRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) } ?? .zero
    }
    /// Makes the map of a text; the identity for another text.
    public class func cgAffineTransform(for string: String) -> CGAffineTransform {
        numbers(string, 6).map { CGAffineTransform($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]) } ?? .identity
    }

    private static func text(_ numbers: [CGFloat]) -> String {
        let texts = numbers.map { $0 == $0.rounded() && abs($0) < 1e15 ? String(Int($0)) : "\($0)" }
        return "{\(texts.joined(separator: ", "))}"
    }

    private static func numbers(_ string: String, _ count: Int) -> [CGFloat]? {
        let parts = string.split { "{}, ".contains($0) }.map { Double($0) }
        let numbers = parts.compactMap { $0.map { CGFloat($0) } }
        return parts.count == count && numbers.count == count ? numbers : nil
    }
}
