import CoreVideo
import Testing
import UIKit

@Suite("A Bézier path")
struct BezierPathTests {
    @Test("tells its bounds and its inside, and moves")
    func geometry() {
        let path = UIBezierPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10))
        path.append(UIBezierPath(ovalIn: CGRect(x: 2, y: 2, width: 6, height: 6)))
        #expect(path.contains(CGPoint(x: 5, y: 5)) && path.bounds == CGRect(x: 0, y: 0, width: 10, height: 10))
        path.usesEvenOddFillRule = true
        #expect(!path.contains(CGPoint(x: 5, y: 5)) && path.contains(CGPoint(x: 1, y: 1)))
        path.apply(CGAffineTransform(translationX: 20, y: 0))
        #expect(path.bounds.minX == 20)
        path.removeAllPoints()
        #expect(path.isEmpty)
        // Clockwise on a screen: from three o'clock by six to nine.
        let arc = UIBezierPath(arcCenter: .zero, radius: 10, startAngle: 0, endAngle: .pi, clockwise: true)
        #expect(arc.bounds.maxY > 9.9 && abs(arc.bounds.minY) < 0.1)
        let lines = UIBezierPath()
        lines.move(to: .zero)
        lines.addLine(to: CGPoint(x: 4, y: 0))
        lines.addLine(to: CGPoint(x: 0, y: 4))
        lines.close()
        #expect(lines.contains(CGPoint(x: 1, y: 1)) && !lines.contains(CGPoint(x: 3, y: 3)))
        #expect(lines.cgPath == UIBezierPath(cgPath: lines.cgPath).cgPath)
    }

    @Test("fills and clips the current context")
    @MainActor func drawing() throws {
        let image = UIGraphicsImageRenderer(size: CGSize(width: 8, height: 8)).image { _ in
            UIBezierPath(rect: CGRect(x: 0, y: 0, width: 4, height: 8)).addClip()
            UIColor.red.setFill()
            UIBezierPath(roundedRect: CGRect(x: 0, y: 0, width: 8, height: 4), cornerRadius: 0).fill()
        }
        let picture = try #require(image.cgImage)
        let bytes = try #require(picture.dataProvider?.data)
        // Red painted at full, in whichever order the bytes are.
        func isPainted(_ x: Int, _ y: Int) -> Bool { bytes[y * picture.bytesPerRow + 4 * x..<y * picture.bytesPerRow + 4 * x + 4].contains(255) }
        #expect(isPainted(1, 1) && !isPainted(6, 1) && !isPainted(1, 6))
    }
}
