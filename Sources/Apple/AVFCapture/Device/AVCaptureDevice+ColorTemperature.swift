import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Colour of a light as CIE 1931 chromaticity.
    public struct WhiteBalanceChromaticityValues: Sendable, Equatable {
        /// Chromaticity x, 0…1.
        public var x: Float
        /// Chromaticity y, 0…1.
        public var y: Float
        /// Makes the chromaticity (0, 0), which no light has.
        public init() { self.init(x: 0, y: 0) }
        /// Makes a chromaticity; not checked.
        public init(x: Float, y: Float) { (self.x, self.y) = (x, y) }
    }

    /// Colour of a light as correlated colour temperature in kelvin, and tint from green (-) to magenta (+), ±150.
    public struct WhiteBalanceTemperatureAndTintValues: Sendable, Equatable {
        /// Correlated colour temperature in kelvin; conversions clamp it to 1667…25000.
        public var temperature: Float
        /// Distance from the Planckian locus, in 1/3000 of CIE 1960 uv; negative is green, positive magenta.
        public var tint: Float
        /// Makes a temperature of 0 K and a tint of 0.
        public init() { self.init(temperature: 0, tint: 0) }
        /// Makes a colour of light; not checked.
        public init(temperature: Float, tint: Float) { (self.temperature, self.tint) = (temperature, tint) }
    }

    /// Gains that make a light white: a sensor of BT.709's primaries, the smallest gain 1. They may be above `maxWhiteBalanceGain`.
    public func deviceWhiteBalanceGains(for chromaticityValues: WhiteBalanceChromaticityValues) -> WhiteBalanceGains {
        let light = Self.light(chromaticityValues)
        let gains = SIMD3<Float>(light.max() / light)
        return WhiteBalanceGains(redGain: gains.x, greenGain: gains.y, blueGain: gains.z)
    }

    /// Linear light of BT.709's primaries at luminance 1; 0.001 where a primary would be less.
    private static func light(_ values: WhiteBalanceChromaticityValues) -> SIMD3<Double> {
        let (x, y) = (Double(values.x), max(Double(values.y), 1e-4))
        let (bigX, bigZ) = (x / y, (1 - x - y) / y)
        let light = SIMD3(
            3.2404542 * bigX - 1.5371385 - 0.4985314 * bigZ, -0.9692660 * bigX + 1.8760108 + 0.0415560 * bigZ,
            0.0556434 * bigX - 0.2040259 + 1.0572252 * bigZ)
        return pointwiseMax(light, SIMD3(repeating: 1e-3))
    }

    /// Linear light of BT.709's primaries at luminance 1, of a temperature and tint.
    package static func light(_ values: WhiteBalanceTemperatureAndTintValues) -> SIMD3<Double> { light(chromaticity(of: values)) }

    /// Returns the chromaticity of the light that these gains make white, for a sensor of BT.709's primaries.
    public func chromaticityValues(for whiteBalanceGains: WhiteBalanceGains) -> WhiteBalanceChromaticityValues {
        let (r, g, b) = (1 / Double(whiteBalanceGains.redGain), 1 / Double(whiteBalanceGains.greenGain), 1 / Double(whiteBalanceGains.blueGain))
        let x = 0.4124564 * r + 0.3575761 * g + 0.1804375 * b
        let y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
        let z = 0.0193339 * r + 0.1191920 * g + 0.9503041 * b
        return WhiteBalanceChromaticityValues(x: Float(x / (x + y + z)), y: Float(y / (x + y + z)))
    }

    /// Returns the gains that make a light of this temperature and tint white; the smallest is 1.
    public func deviceWhiteBalanceGains(for tempAndTintValues: WhiteBalanceTemperatureAndTintValues) -> WhiteBalanceGains {
        deviceWhiteBalanceGains(for: Self.chromaticity(of: tempAndTintValues))
    }

    private static func chromaticity(of values: WhiteBalanceTemperatureAndTintValues) -> WhiteBalanceChromaticityValues {
        let (u, v) = uv(kelvin: Double(values.temperature))
        let across = across(kelvin: Double(values.temperature))
        let shift = Double(values.tint) / 3000
        let (su, sv) = (u + shift * across.u, v + shift * across.v)
        let scale = 2 * su - 8 * sv + 4
        return WhiteBalanceChromaticityValues(x: Float(3 * su / scale), y: Float(2 * sv / scale))
    }

    /// Returns the temperature and tint of the light that these gains make white; the nearest point of the locus.
    public func temperatureAndTintValues(for whiteBalanceGains: WhiteBalanceGains) -> WhiteBalanceTemperatureAndTintValues {
        let light = chromaticityValues(for: whiteBalanceGains)
        let scale = -2 * Double(light.x) + 12 * Double(light.y) + 3
        let (u, v) = (4 * Double(light.x) / scale, 6 * Double(light.y) / scale)
        func distance(_ mired: Double) -> Double {
            let (a, b) = Self.uv(kelvin: 1e6 / mired)
            return (a - u) * (a - u) + (b - v) * (b - v)
        }
        // Ternary search for the nearest point of the locus, in reciprocal temperature, in which equal steps look alike.
        var (low, high) = (40.0, 590.0)
        for _ in 0..<60 {
            let (a, b) = (low + (high - low) / 3, high - (high - low) / 3)
            if distance(a) < distance(b) { high = b } else { low = a }
        }
        let kelvin = 2e6 / (low + high)
        let (a, b) = Self.uv(kelvin: kelvin)
        let across = Self.across(kelvin: kelvin)
        let tint = ((u - a) * across.u + (v - b) * across.v) * 3000
        return WhiteBalanceTemperatureAndTintValues(temperature: Float(kelvin), tint: Float(tint))
    }

    /// Gains that make the mean of the last frame's light grey, the smallest 1; they may be above `maxWhiteBalanceGain`. All 1 before the first frame.
    public var grayWorldDeviceWhiteBalanceGains: WhiteBalanceGains {
        let (session, kept) = state.withLock { ($0.session, $0.grayWorldGains) }
        let gains = SIMD3<Float>(session?.pipeline(of: self)?.grayWorldGains ?? kept)
        return WhiteBalanceGains(redGain: gains.x, greenGain: gains.y, blueGain: gains.z)
    }

    /// Keeps the gains of a pipeline that is over.
    func keepGrayWorldGains(of pipeline: CapturePipeline) {
        guard let gains = pipeline.grayWorldGains else { return }
        state.withLock { $0.grayWorldGains = gains }
    }

    /// Planckian locus on the CIE 1960 plane: Kim's cubic approximation, 1667…25000 K.
    private static func uv(kelvin: Double) -> (u: Double, v: Double) {
        let t = 1000 / min(max(kelvin, 1667), 25_000)
        let x =
            t >= 0.25
            ? ((-0.2661239 * t - 0.2343589) * t + 0.8776956) * t + 0.179910 : ((-3.0258469 * t + 2.1070379) * t + 0.2226347) * t + 0.240390
        let y =
            t >= 1000.0 / 2222
            ? ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
            : t >= 0.25
                ? ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867 : ((3.0817580 * x - 5.87338670) * x + 3.75112997) * x - 0.37001483
        let scale = -2 * x + 12 * y + 3
        return (4 * x / scale, 6 * y / scale)
    }

    /// Unit normal of the locus, from green to magenta.
    private static func across(kelvin: Double) -> (u: Double, v: Double) {
        let (a, b) = (uv(kelvin: kelvin * 0.99), uv(kelvin: kelvin * 1.01))
        let (du, dv) = (b.u - a.u, b.v - a.v)
        let length = (du * du + dv * dv).squareRoot()
        guard length > 0 else { return (0, -1) }
        return (-dv / length, du / length)
    }
}
