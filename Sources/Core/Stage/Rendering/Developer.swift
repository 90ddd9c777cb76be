import CoreVideo
import Foundation
import Pipeline

/// Sensor model: turns the canvas into the camera's picture by exposure, dusk, noise, and BT.709 video range.
struct Developer {
    private let tables: Tables
    private let noise: Noise?

    /// Lookup tables: contributions of one channel's 256 values to Y, Cb and Cr, 16 fractional bits.
    struct Tables {
        /// Tables of lit surfaces: one set of three channels after the other, by illuminance.
        var lit: [SIMD4<Int32>] = []
        var shining: [SIMD4<Int32>] = []
        /// Index of the set for a disparity, in steps of 1/64 1/m from 0 on; empty without torch or flash.
        var sets: [Int32] = []

        init(exposure: Exposure, lighting: Lighting) {
            let gains = (0..<3).map { Tone.code(lighting.gains[$0]) }
            func table(_ output: (Double, Int) -> Double) -> [SIMD4<Int32>] {
                (0..<768).map { index in
                    let channel = index / 256
                    return Developer.contribution(min(output(Double(index % 256) / 255, channel) * gains[channel], 1), channel: channel)
                }
            }
            shining = table { value, _ in value }
            guard lighting.lamp > 0 else {
                lit = table(Tone(level: exposure.level, lux: lighting.metered).output)
                return
            }
            // A set for every eighth of an EV.
            var last: Int?
            for step in 0..<Developer.disparitySteps {
                let lux = max(lighting.lux(at: (Double(step) + 0.5) / 64), 1e-3)
                let light = Int((log2(lux) * 8).rounded())
                if light != last { lit += table(Tone(level: exposure.level * lux / max(lighting.metered, 1e-3), lux: lux).output) }
                last = light
                sets.append(Int32(lit.count / 768 - 1))
            }
        }
    }

    private struct Noise {
        let stream: HashStream
        /// Standard deviation of luma noise in 1/16 code values, by luma code.
        let luma: [Int32]
        let chroma: Int32
        let gauss: [Int8]
    }

    init(tables: Tables, exposure: Exposure, lighting: Lighting, stream: HashStream) {
        self.tables = tables
        let tone = Tone(level: exposure.level, lux: lighting.metered)
        let deviation = tone.noise(exposure: exposure)
        guard deviation[110] >= 0.6 else {
            noise = nil
            return
        }
        noise = Noise(
            stream: stream, luma: deviation.map { Int32(min($0, 40) * 16) },
            chroma: Int32(deviation[90] * 10), gauss: Self.gauss)
    }

    /// Number of disparity steps of 1/64 1/m; surfaces nearer than 1/16 m are lit as at 16 1/m.
    private static let disparitySteps = 1024

    private static func contribution(_ value: Double, channel: Int) -> SIMD4<Int32> {
        let luma = [0.2126, 0.7152, 0.0722][channel] * value
        let blue = ((channel == 2 ? value : 0) - luma) / 1.8556
        let red = ((channel == 0 ? value : 0) - luma) / 1.5748
        return SIMD4(Int32((luma * 219 * 65536).rounded()), Int32((blue * 224 * 65536).rounded()), Int32((red * 224 * 65536).rounded()), 0)
    }

    /// Table of 1024 normal deviates, 32 to the standard deviation: sums of four uniform ones.
    private static let gauss: [Int8] = {
        let stream = HashStream(seed: 7, "gauss")
        return (0..<1024).map { index in
            let bits = stream.bits(index)
            var sum = 0.0
            for part in 0..<UInt64(4) { sum += Double(bits >> (part * 16) & 0xFFFF) / 65535 }
            let deviate: Double = (sum - 2) * 1.732 * 32
            return Int8(max(-127, min(127, deviate.rounded())))
        }
    }()

    /// Converts the canvas to `420v` in `image`; `disparity` gives the start of each row's values, `canvas.width` of them.
    func develop(_ canvas: Canvas, into image: CVPixelBuffer, disparity: @escaping (Int) -> UnsafeMutablePointer<Float>) {
        tables.lit.withUnsafeBufferPointer { lit in
            tables.shining.withUnsafeBufferPointer { shining in
                let (lit, shining) = (lit.baseAddress!, shining.baseAddress!)
                forEachBand(of: canvas.height) { rows in
                    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
                        if tables.sets.isEmpty {
                            convert(canvas, into: image, y: y, shining: shining) { _, _ in lit }
                        } else {
                            let maps = (disparity(y), disparity(y + 1))
                            convert(canvas, into: image, y: y, shining: shining) { x, isUpper in
                                let step = min(max(Int((isUpper ? maps.0 : maps.1)[x] * 64), 0), Self.disparitySteps - 1)
                                return lit + 768 * Int(tables.sets[step])
                            }
                        }
                        if let noise { Self.add(noise, to: image, y: y, width: canvas.width) }
                    }
                }
            }
        }
    }

    @inline(__always)
    private func convert(
        _ canvas: Canvas, into image: CVPixelBuffer, y: Int, shining: UnsafePointer<SIMD4<Int32>>,
        lit: (Int, Bool) -> UnsafePointer<SIMD4<Int32>>
    ) {
        let source = (canvas.row(y), canvas.row(y + 1))
        let luma: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) = (image.plane(0).row(y), image.plane(0).row(y + 1))
        let chroma: UnsafeMutablePointer<UInt8> = image.plane(1).row(y / 2)
        @inline(__always)
        func look(_ pixel: UInt32, _ x: Int, isUpper: Bool) -> SIMD4<Int32> {
            let table = pixel >> 31 == 0 ? lit(x, isUpper) : shining
            return table[Int(pixel & 255)] &+ table[256 + Int(pixel >> 8 & 255)] &+ table[512 + Int(pixel >> 16 & 255)]
        }
        @inline(__always)
        func luminance(_ looked: SIMD4<Int32>) -> UInt8 { UInt8(truncatingIfNeeded: (looked.x &+ (1 << 15)) >> 16 &+ 16) }
        @inline(__always)
        func difference(_ sum: Int32) -> UInt8 { UInt8(truncatingIfNeeded: (sum &+ (1 << 17)) >> 18 &+ 128) }
        for x in stride(from: 0, to: canvas.width, by: 2) {
            let (a, b) = (look(source.0[x], x, isUpper: true), look(source.0[x + 1], x + 1, isUpper: true))
            let (c, d) = (look(source.1[x], x, isUpper: false), look(source.1[x + 1], x + 1, isUpper: false))
            luma.0[x] = luminance(a)
            luma.0[x + 1] = luminance(b)
            luma.1[x] = luminance(c)
            luma.1[x + 1] = luminance(d)
            let sum = a &+ b &+ c &+ d
            chroma[x] = difference(sum.y)
            chroma[x + 1] = difference(sum.z)
        }
    }

    private static func add(_ noise: Noise, to image: CVPixelBuffer, y: Int, width: Int) {
        noise.gauss.withUnsafeBufferPointer { gauss in
            noise.luma.withUnsafeBufferPointer { deviation in
                for row in y...y + 1 {
                    let line: UnsafeMutablePointer<UInt8> = image.plane(0).row(row)
                    scatter(noise.stream.substream(row), gauss.baseAddress!, over: line, count: width) { deviation[Int($0)] }
                }
                let line: UnsafeMutablePointer<UInt8> = image.plane(1).row(y / 2)
                scatter(noise.stream.substream(-1 - y), gauss.baseAddress!, over: line, count: width) { _ in noise.chroma }
            }
        }
    }

    /// Adds noise to a row: six normal deviates from every 64 bits of the stream.
    @inline(__always)
    private static func scatter(
        _ stream: HashStream, _ gauss: UnsafePointer<Int8>, over line: UnsafeMutablePointer<UInt8>, count: Int, deviation: (UInt8) -> Int32
    ) {
        var x = 0, block = 0
        while x < count {
            var bits = stream.bits(block)
            block += 1
            for _ in 0..<min(6, count - x) {
                let value = line[x]
                let grain = (Int32(gauss[Int(bits & 1023)]) &* deviation(value) &+ 256) >> 9
                line[x] = UInt8(truncatingIfNeeded: min(max(Int32(value) &+ grain, 16), 240))
                bits >>= 10
                x += 1
            }
        }
    }
}

/// Tone curve: from light to code values at one exposure.
struct Tone {
    let level: Double
    /// Weight of the low-light tint: 0 in daylight, 1 in the dark.
    let dusk: Double
    private static let exponent = 1 / 2.2
    private var exponent: Double { Self.exponent }

    /// Factor of a code value for a factor of light, by the display gamma 2.2.
    static func code(_ light: Double) -> Double { pow(light, exponent) }

    init(level: Double, lux: Double) {
        self.level = level
        let t = min(max((60 - lux) / 55, 0), 1)
        dusk = t * t * (3 - 2 * t)
    }

    /// Code value, 0…1, of a surface whose well-exposed code value is `value`.
    func output(_ value: Double, channel: Int) -> Double {
        guard level != 1 || dusk > 0 else { return value }
        let tint = [1 - 0.34 * dusk, 1 - 0.2 * dusk, 1 - 0.02 * dusk][channel]
        return min(value * pow(max(level, 0) * (1 - 0.25 * dusk), exponent) * tint, 1)
    }

    /// Standard deviation of shot and read noise in code values, by luma code.
    func noise(exposure: Exposure) -> [Double] {
        let electrons = 40_000 * 100 / exposure.iso
        return (0..<256).map { code in
            let value = max(Double(code) - 16, 1) / 219
            let linear = pow(value, 2.2)
            let deviation = (linear / electrons + 64 / (electrons * electrons)).squareRoot()
            let slope = min(exponent * pow(max(linear, 1e-4), exponent - 1), 6)
            return 219 * deviation * slope
        }
    }
}
