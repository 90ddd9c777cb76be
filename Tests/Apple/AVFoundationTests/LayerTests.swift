import AVFoundation
import QuartzCore
import Testing
import simd

@Suite("Layers, and matrices")
struct LayerTests {
    @Test("a layer lies about its anchor point, scaled by its transform")
    func frames() {
        let layer = CALayer()
        layer.bounds = CGRect(x: 0, y: 0, width: 40, height: 20)
        layer.position = CGPoint(x: 100, y: 50)
        #expect(layer.frame == CGRect(x: 80, y: 40, width: 40, height: 20))
        layer.anchorPoint = .zero
        #expect(layer.frame == CGRect(x: 100, y: 50, width: 40, height: 20))
        layer.setAffineTransform(CGAffineTransform(scaleX: 2, y: 2))
        #expect(layer.frame == CGRect(x: 100, y: 50, width: 80, height: 40))
        layer.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
        #expect(layer.bounds.size == CGSize(width: 5, height: 5) && layer.frame == CGRect(x: 0, y: 0, width: 10, height: 10))
    }

    @Test("points go from layer to layer by way of the top, and the topmost visible layer is hit")
    func tree() {
        let (root, first, second, inner) = (CALayer(), CALayer(), CALayer(), CALayer())
        root.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        first.frame = CGRect(x: 10, y: 10, width: 50, height: 50)
        second.frame = CGRect(x: 30, y: 30, width: 50, height: 50)
        inner.frame = CGRect(x: 5, y: 5, width: 10, height: 10)
        root.addSublayer(first)
        root.addSublayer(second)
        first.addSublayer(inner)
        #expect(inner.convert(CGPoint(x: 1, y: 1), to: second) == CGPoint(x: -14, y: -14))
        #expect(second.convert(CGPoint(x: -14, y: -14), to: inner) == CGPoint(x: 1, y: 1))
        #expect(root.convert(CGRect(x: 0, y: 0, width: 1, height: 1), from: inner) == CGRect(x: 15, y: 15, width: 1, height: 1))
        #expect(root.hitTest(CGPoint(x: 40, y: 40)) === second && root.hitTest(CGPoint(x: 16, y: 16)) === inner)
        second.isHidden = true
        #expect(root.hitTest(CGPoint(x: 40, y: 40)) === first && root.hitTest(CGPoint(x: 101, y: 0)) == nil)
        second.addSublayer(inner)
        #expect(first.sublayers == nil && inner.superlayer === second && root.sublayers?.count == 2)
    }

    @Test("a rectangle of a shape fits into another")
    func fitting() {
        let bounds = CGRect(x: 0, y: 0, width: 100, height: 100)
        #expect(AVMakeRect(aspectRatio: CGSize(width: 16, height: 8), insideRect: bounds) == CGRect(x: 0, y: 25, width: 100, height: 50))
        #expect(AVMakeRect(aspectRatio: CGSize(width: 1, height: 2), insideRect: bounds) == CGRect(x: 25, y: 0, width: 50, height: 100))
    }

    @Test("matrices multiply, transpose and have inverses")
    func matrices() {
        let matrix = simd_float3x3(rows: [SIMD3(2, 0, 1), SIMD3(0, 4, 3), SIMD3(0, 0, 1)])
        #expect(matrix * SIMD3(1, 1, 1) == SIMD3(3, 7, 1) && matrix[2, 1] == 3 && matrix.determinant == 8)
        #expect(simd_mul(matrix, matrix.inverse) == matrix_identity_float3x3 && matrix.transpose.columns.0 == SIMD3(2, 0, 1))
        #expect(simd_length(SIMD3<Float>(2, 3, 6)) == 7 && simd_cross(SIMD3<Float>(1, 0, 0), SIMD3(0, 1, 0)) == SIMD3(0, 0, 1))
        let four = simd_float4x4(diagonal: SIMD4(1, 2, 3, 4))
        #expect(four * SIMD4(1, 1, 1, 1) == SIMD4(1, 2, 3, 4) && four * matrix_identity_float4x4 == four && four.transpose == four)
    }

    @Test("the screen's clock goes on")
    func clock() {
        let time = CACurrentMediaTime()
        #expect(time > 0 && CACurrentMediaTime() >= time)
    }
}
