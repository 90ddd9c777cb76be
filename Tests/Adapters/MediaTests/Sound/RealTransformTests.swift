import Testing

@testable import Media

@Suite("A Fourier transform of real samples")
struct RealTransformTests {
    @Test("has the same spectrum whatever its memory held, and gives the samples back")
    func spectrum() throws {
        let transform = try RealTransform(size: 256, path: "movie")
        let samples = (0..<256).map { Float($0 % 7) - Float($0 % 3) }
        let first = transform.spectrum(of: samples)
        _ = transform.samples(of: Array(repeating: SIMD2(repeating: .nan), count: 129))
        let again = transform.spectrum(of: samples)
        #expect(again == first && first[0].y == 0 && first[128].y == 0)
        #expect(zip(transform.samples(of: again), samples).allSatisfy { abs($0 - $1) < 1e-4 })
    }
}
