import Testing

@testable import Media

@Suite("Display orientations") struct OrientationTests {
    private static func orientation(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> Orientation? {
        Orientation(displayMatrix: [a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30])
    }

    @Test("are the eight quarter turns with and without a mirror, of the 81 matrices of whole numbers")
    func quarterTurns() {
        let parts: [Int32] = [-1, 0, 1]
        var accepted: [Orientation] = []
        for a in parts { for b in parts { for c in parts { for d in parts { accepted += [Self.orientation(a, b, c, d)].compactMap(\.self) } } } }
        #expect(accepted.count == 8)
        #expect(accepted.allSatisfy { $0.a * $0.c + $0.b * $0.d == 0 })
        #expect(Set(accepted.map { "\($0.posture)" }).count == 8)
    }
}
