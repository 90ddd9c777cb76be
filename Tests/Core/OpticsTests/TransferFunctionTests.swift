import Optics
import Testing

@Suite("Transfer function")
struct TransferFunctionTests {
    /// From the standards' own tables and definitions: IEC 61966-2-1; ARIB STD-B67, whose two parts meet at 1/12; ITU-R BT.2408, table 1.
    private static let values: [(function: TransferFunction, light: Double, code: Double)] = [
        (.sRGB, 0.0031308, 0.04045), (.sRGB, 0.214041, 0.5), (.sRGB, 1, 1), (.hlg, 0.0833333, 0.5), (.hlg, 0.264963, 0.75), (.hlg, 0.01, 0.173205),
        (.hlg, 1, 1), (.pq, 0.01, 0.508078), (.pq, 0.0203, 0.580689), (.pq, 0.1, 0.751827), (.pq, 1, 1),
    ]

    @Test("has the standards' values", arguments: values)
    func standards(_ function: TransferFunction, _ light: Double, _ code: Double) {
        #expect(abs(function.code(of: light) - code) < 2e-6)
        #expect(abs(function.light(of: code) / light - 1) < 1e-4)
    }

    @Test("goes to light and back", arguments: [TransferFunction.sRGB, .hlg, .pq])
    func inverse(_ function: TransferFunction) {
        for step in 0...1023 {
            let code = Double(step) / 1023
            #expect(abs(function.code(of: function.light(of: code)) - code) < 1e-6)
            // Float has 24 bits, of which PQ's exponent of 78.84 takes seven.
            #expect(abs(function.code(of: function.light(of: Float(code))) - Float(code)) < 1e-4)
        }
    }

    @Test("takes what lies below black for black, or below it", arguments: [TransferFunction.sRGB, .hlg, .pq])
    func belowBlack(_ function: TransferFunction) {
        #expect(function.code(of: -0.1) <= function.code(of: 0.0))
        #expect(function.light(of: -0.0) == 0)
        #expect(function.light(of: function.code(of: function.white)) - function.white < 1e-6)
    }
}
