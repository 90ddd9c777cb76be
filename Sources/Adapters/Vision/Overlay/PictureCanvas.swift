import CoreVideo
import Foundation

/// Draws lines, rectangles, bars and text on a picture in `420v`, `420f` or `x420`, in place. Positions and sizes in pixels; what lies outside is left out.
///
/// Colours are those of BT.709 in the picture's own matrix and range; in HLG and PQ their white is at 203 cd/m², the level of graphics (ITU-R BT.2408).
///
///     let canvas = try PictureCanvas(buffer)
///     try canvas.rectangle(box, color: .yellow, thickness: 3, dashes: [15, 12])
///     try canvas.text("f/2.8", at: CGPoint(x: 20, y: 40), height: 24, color: .white)
public struct PictureCanvas: @unchecked Sendable {
    /// A colour, 0…1 each, sRGB.
    public struct Color: Sendable, Equatable {
        /// Red, 0…1, encoded (gamma) as displayed.
        public var red: Double
        /// Green, 0…1, encoded as displayed.
        public var green: Double
        /// Blue, 0…1, encoded as displayed.
        public var blue: Double

        /// Creates a colour of three parts, 0…1 each.
        public init(red: Double, green: Double, blue: Double) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// White of text.
        public static let white = Color(red: 1, green: 1, blue: 1)
        /// Black behind text.
        public static let black = Color(red: 0, green: 0, blue: 0)
        /// Yellow of focus rectangles.
        public static let yellow = Color(red: 1, green: 0.84, blue: 0.04)
        /// Red of warnings and recordings.
        public static let red = Color(red: 1, green: 0.27, blue: 0.23)
    }

    let buffer: CVPixelBuffer
    let coding: CanvasCoding

    /// Throws `VisionError` for other formats.
    public init(_ buffer: CVPixelBuffer) throws {
        guard let coding = CanvasCoding(of: buffer) else {
            throw VisionError(code: .picture, operation: "drawing on a picture", underlying: "its format is neither 420v nor 420f nor x420")
        }
        (self.buffer, self.coding) = (buffer, coding)
    }

    /// Width in pixels.
    public var width: Int { CVPixelBufferGetWidth(buffer) }
    /// Height in pixels.
    public var height: Int { CVPixelBufferGetHeight(buffer) }

    /// `dashes`: lengths in pixels of line and gap, in turns; empty is solid.
    public func line(from start: CGPoint, to end: CGPoint, color: Color, thickness: Double, dashes: [Double] = []) throws {
        for piece in Self.pieces(from: start, to: end, dashes: dashes) { try stroke(piece.0, piece.1, color, thickness) }
    }

    /// The outline of a rectangle; dashes start anew at each corner.
    public func rectangle(_ rect: CGRect, color: Color, thickness: Double, dashes: [Double] = []) throws {
        let corners = [(rect.minX, rect.minY), (rect.maxX, rect.minY), (rect.maxX, rect.maxY), (rect.minX, rect.maxY)].map {
            CGPoint(x: $0.0, y: $0.1)
        }
        for side in 0..<4 { try line(from: corners[side], to: corners[(side + 1) % 4], color: color, thickness: thickness, dashes: dashes) }
    }

    /// A filled bar; `opacity` 0…1.
    public func fill(_ rect: CGRect, color: Color, opacity: Double = 1) {
        guard let area = visible(rect) else { return }
        let coverage = Raster(width: area.width, height: area.height)
        coverage.bytes.update(repeating: 255, count: coverage.count)
        blend(coverage, at: area.x, area.y, color, opacity)
    }

    /// One line of text (ASCII); `position` is the top left corner, `height` that of a capital letter. Gives the width drawn.
    @discardableResult
    public func text(_ text: String, at position: CGPoint, height: Double, color: Color, opacity: Double = 1) throws -> Double {
        let (scale, thickness) = Self.font(height)
        let size = try Raster.textSize(text, scale: scale, thickness: thickness)
        let margin = thickness + 2
        let frame = CGRect(
            x: position.x.rounded() - Double(margin), y: position.y.rounded() - Double(margin), width: Double(size.width + 2 * margin),
            height: Double(size.height + size.below + 2 * margin))
        guard let area = visible(frame) else { return Double(size.width) }
        let coverage = Raster(width: area.width, height: area.height)
        try coverage.drawText(
            text, x: Int(frame.minX) + margin - area.x, y: Int(frame.minY) + margin + size.height - area.y, scale: scale, thickness: thickness)
        blend(coverage, at: area.x, area.y, color, opacity)
        return Double(size.width)
    }

    /// Width of a text of this height, pixels.
    public static func textWidth(_ text: String, height: Double) throws -> Double {
        let (scale, thickness) = font(height)
        return Double(try Raster.textSize(text, scale: scale, thickness: thickness).width)
    }

    /// OpenCV's plain font has capitals of 22 pixels at scale 1.
    private static func font(_ height: Double) -> (scale: Double, thickness: Int) { (height / 22, max(1, Int((height / 11).rounded()))) }

    /// The drawn pieces of a dashed line.
    static func pieces(from start: CGPoint, to end: CGPoint, dashes: [Double]) -> [(CGPoint, CGPoint)] {
        let length = hypot(end.x - start.x, end.y - start.y)
        guard length > 0, dashes.reduce(0, +) >= 1 else { return [(start, end)] }
        func point(_ at: Double) -> CGPoint {
            CGPoint(x: start.x + (end.x - start.x) * at / length, y: start.y + (end.y - start.y) * at / length)
        }
        var pieces: [(CGPoint, CGPoint)] = []
        var (at, index) = (0.0, 0)
        while at < length {
            let next = min(at + dashes[index % dashes.count], length)
            if index % 2 == 0 { pieces.append((point(at), point(next))) }
            at = next
            index += 1
        }
        return pieces
    }

    private func stroke(_ start: CGPoint, _ end: CGPoint, _ color: Color, _ thickness: Double) throws {
        let reach = thickness + 2
        let frame = CGRect(
            x: min(start.x, end.x) - reach, y: min(start.y, end.y) - reach, width: abs(end.x - start.x) + 2 * reach,
            height: abs(end.y - start.y) + 2 * reach)
        guard let area = visible(frame) else { return }
        let coverage = Raster(width: area.width, height: area.height)
        func local(_ point: CGPoint) -> CGPoint { CGPoint(x: point.x - Double(area.x), y: point.y - Double(area.y)) }
        try coverage.drawLine(from: local(start), to: local(end), thickness: max(1, Int(thickness.rounded())))
        blend(coverage, at: area.x, area.y, color, 1)
    }
}
