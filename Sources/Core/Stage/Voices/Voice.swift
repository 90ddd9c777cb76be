/// Sound of a subject: timbre, level and time.
public struct Voice: Sendable, Equatable {
    /// Waveform of a voice.
    public enum Timbre: Sendable, Equatable {
        /// Sine wave, frequency in hertz.
        case tone(Double)
        /// White noise: equal power per hertz.
        case whiteNoise
        /// Pink noise: equal power per octave.
        case pinkNoise
        /// Samples of full scale ±1 at 48 kHz, silent after their end.
        case recording([Float])
    }

    /// Waveform.
    public var timbre: Timbre
    /// Level in dB of full scale: the largest sample a metre from the microphone; for a recording, gain added to its own level.
    public var level: Double
    /// Interval of audibility in nanoseconds; a recording begins with it.
    public var span: Range<Int64>

    /// Creates a voice, audible throughout unless `span` (nanoseconds) says otherwise.
    public init(_ timbre: Timbre, level: Double, span: Range<Int64> = 0..<Int64.max) {
        self.timbre = timbre
        self.level = level
        self.span = span
    }

    /// Factor of a level: 10^(level / 20), from arithmetic that is the same on every machine.
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
