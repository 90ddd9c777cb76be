/// Clock of a sound card against the monotonic clock: a delay-locked loop of second order (F. Adriaensen, "Using a DLL to filter time", 2005), for
/// blocks of any length.
///
/// The times at which blocks arrive jitter by milliseconds; the loop follows their mean, and with it the card's true rate.
struct SoundClock {
    /// Length of a sample by the monotonic clock, nanoseconds.
    private(set) var period: Double
    /// Samples so far, and the filtered time of their end.
    private(set) var count: Int64 = 0
    private var end: Double?
    private var age = 0.0

    /// Deviation in nanoseconds from which on a time is no jitter: samples were lost.
    private static let leap = 80e6

    init(sampleRate: Int) { period = 1e9 / Double(sampleRate) }

    /// Takes note of a block of samples whose last one was captured at `time`, monotonic nanoseconds.
    mutating func note(samples: Int, until time: Int64) {
        count += Int64(samples)
        guard let before = end, samples > 0 else {
            end = Double(time)
            return
        }
        let length = Double(samples) * period
        let expected = before + length
        let error = Double(time) - expected
        guard abs(error) < Self.leap else {
            end = Double(time)
            return
        }
        age += length / 1e9
        // Half a hertz to lock, then a fiftieth, which lets a millisecond of jitter move the rate by a few millionths.
        let bandwidth = max(0.02, min(0.5, 2 / age))
        let omega = min(0.5, 2 * Double.pi * bandwidth * length / 1e9)
        end = expected + 1.4142 * omega * error
        period += omega * omega * error / Double(samples)
    }

    /// Position among the samples, of a monotonic time in nanoseconds; nil before the first block.
    func position(at time: Double) -> Double? { end.map { Double(count) - ($0 - time) / period } }
}
