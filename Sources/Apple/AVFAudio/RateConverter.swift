import Foundation

/// Converter of sample rates: interpolation by a windowed sinc, whose kernel is read from a table by linear interpolation.
///
/// Source: J. O. Smith, P. Gossett: A flexible sampling-rate conversion method, ICASSP 1984. The window is Kaiser's, β = 9; the filter has 32 zero
/// crossings on either side and half its amplitude at 0.9 of the lower one of both Nyquist frequencies. A tone below 0.8 of it comes out with less than
/// −80 dB of anything else.
struct RateConverter {
    private static let crossings = 32
    /// Entries of the table from one zero crossing to the next.
    private static let steps = 512
    private static let cutoff = 0.9
    private static let beta = 9.0

    /// One side of the kernel, from its middle to beyond its end.
    private static let kernel: [Double] = (0...crossings * steps + 1).map { index in
        let (time, part) = (Double(index) / Double(steps), Double(index) / Double(crossings * steps))
        let sinc = index == 0 ? 1 : sin(.pi * time) / (.pi * time)
        return part < 1 ? sinc * bessel(beta * (1 - part * part).squareRoot()) / bessel(beta) : 0
    }

    /// Modified Bessel function of the first kind, of order 0.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, index) = (1.0, 1.0, 1.0)
        while term > 1e-18 * sum {
            term *= (x / 2 / index) * (x / 2 / index)
            sum += term
            index += 1
        }
        return sum
    }

    /// Frames that count at the beginning and the end of the input.
    enum Priming {
        /// The first frame of the input is the first that comes out; silence lies before it.
        case none
        /// The output is late by the filter's reach, and comes at once.
        case delay
        /// The output begins after the filter's reach, with what lies before it.
        case lead
    }

    private let input: Double
    private let output: Double
    /// Zero crossings of the kernel per frame of the input.
    private let scale: Double
    /// Frames of the input on either side that an output frame depends on.
    let reach: Double
    /// Frames of the input by which the output is late.
    private let delay: Double
    private var channels: [[Double]]
    /// Number of the first frame of the input that is kept.
    private var base = 0
    private var received = 0
    private var made = 0
    private var isEnded = false

    /// Rates in Hz, above 0.
    init(from input: Double, to output: Double, channels: Int, priming: Priming) {
        (self.input, self.output) = (input, output)
        self.channels = Array(repeating: [], count: channels)
        let isSame = input == output
        scale = isSame ? 1 : min(1, output / input) * Self.cutoff
        reach = isSame ? 0 : Double(Self.crossings) / scale
        delay = isSame || priming == .none ? 0 : priming == .delay ? reach : -reach
    }

    /// Takes frames, an array of as many samples for each channel.
    mutating func append(_ samples: [[Double]]) {
        for (index, samples) in samples.enumerated() { channels[index] += samples }
        received += samples.first?.count ?? 0
    }

    /// Ends the input; silence follows it.
    mutating func end() { isEnded = true }

    /// Number of frames that can be made of the input so far.
    var available: Int {
        let end = Double(received) + (isEnded ? min(delay, 0) : delay - reach)
        return max(0, Int((end * output / input).rounded(.up)) - made)
    }

    /// Number of frames of the input that are still needed for a number of output frames, more than are available.
    func needed(for count: Int) -> Int { max(1, Int((Double(made + count - 1) * input / output - delay + reach).rounded(.down)) + 1 - received) }

    /// Makes frames, as many as are available at most.
    mutating func take(_ count: Int) -> [[Double]] {
        var taken = channels.map { _ in [Double](repeating: 0, count: count) }
        for frame in 0..<count {
            let place = Double(made + frame) * input / output - delay
            if input == output {
                for channel in channels.indices { taken[channel][frame] = channels[channel][made + frame - base] }
                continue
            }
            let first = max(base, Int((place - reach).rounded(.up)))
            let last = min(received - 1, Int((place + reach).rounded(.down)))
            guard first <= last else { continue }
            for index in first...last {
                let weight = scale * Self.value(at: abs(Double(index) - place) * scale)
                for channel in channels.indices { taken[channel][frame] += weight * channels[channel][index - base] }
            }
        }
        made += count
        let kept = min(received, max(base, Int((Double(made) * input / output - delay - reach).rounded(.down))))
        // Half of them at a time, so that each is moved once at most.
        if 2 * (kept - base) >= received - base {
            for channel in channels.indices { channels[channel].removeFirst(kept - base) }
            base = kept
        }
        return taken
    }

    /// Value of the kernel at a number of zero crossings from its middle.
    private static func value(at crossing: Double) -> Double {
        let place = crossing * Double(steps)
        let index = min(Int(place), crossings * steps)
        return kernel[index] + (place - Double(index)) * (kernel[index + 1] - kernel[index])
    }
}
