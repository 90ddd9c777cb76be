import Testing

@testable import Vision

@Suite("Masks")
struct SoftMaskTests {
    @Test("a mask without its outermost pixels keeps those at the edge of the picture")
    func eroded() {
        var mask = SoftMask(width: 6, height: 4)
        mask.values = [
            0, 0, 0, 0, 0, 0,
            1, 1, 1, 0, 0, 0,
            1, 1, 1, 0.5, 0, 1,
            1, 1, 1, 0, 0, 0,
        ]
        #expect(
            mask.eroded().values == [
                0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0,
                1, 1, 0.5, 0, 0, 0,
                1, 1, 0, 0, 0, 0,
            ])
    }
}
