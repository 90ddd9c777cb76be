/// What a subject sounds like.
public struct Voice: Sendable, Equatable {
    public enum Timbre: Sendable, Equatable {
        /// A pure tone, in hertz.
        case tone(Double)
        /// Every frequency alike: a hiss.
        case whiteNoise
        /// Every octave alike: a waterfall.
        case pinkNoise
        /// Samples of full scale ±1 at 48 kHz, silent after their end.
        case recording([Float])
    }

    public var timbre: Timbre
    /// Decibels, 0 is full scale: the loudest sample a metre from the microphone; for a recording, what is added to its own level.
    public var level: Double
    /// When it is heard, in nanoseconds; a recording begins with it.
    public var span: Range<Int64>

    public init(_ timbre: Timbre, level: Double, span: Range<Int64> = 0..<Int64.max) {
        self.timbre = timbre
        self.level = level
        self.span = span
    }

    /// The factor of a level: 10^(level / 20), from arithmetic that is the same on every machine.
    static func gain(decibels: Double) -> Double {
        let exponent = decibels * 0.16609640474436813
        let whole = exponent.rounded()
        let x = (exponent - whole) * 0.6931471805599453
        var (term, sum) = (1.0, 1.0)
        for n in 1...14 {
            term *= x / Double(n)
            sum += term
        }
        return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
    }
}
