import AVFCapture
import CoreMedia

/// Time of sound: on the host's clock, in samples, or both.
open class AVAudioTime: NSObject, @unchecked Sendable {
    /// Time on the host's clock, as of `mach_absolute_time()`; 0 where it is not valid.
    public let hostTime: UInt64
    /// Whether the time on the host's clock is known.
    public let isHostTimeValid: Bool
    /// Number of the sample; 0 where it is not valid.
    public let sampleTime: AVAudioFramePosition
    /// Samples per second, in Hz; 0 where there is no number.
    public let sampleRate: Double
    /// Whether the number of the sample is known.
    public var isSampleTimeValid: Bool { sampleRate > 0 }

    /// Makes a time on the host's clock.
    public init(hostTime: UInt64) { (self.hostTime, isHostTimeValid, sampleTime, sampleRate) = (hostTime, true, 0, 0) }
    /// Makes a time in samples.
    public init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        (hostTime, isHostTimeValid, self.sampleTime, self.sampleRate) = (0, false, sampleTime, sampleRate)
    }
    /// Makes a time on the host's clock and in samples.
    public init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        (self.hostTime, isHostTimeValid, self.sampleTime, self.sampleRate) = (hostTime, true, sampleTime, sampleRate)
    }

    /// Returns the seconds of a time on the host's clock, whose ticks are nanoseconds here.
    public class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { TimeInterval(hostTime) / 1e9 }
    /// Returns the time on the host's clock after seconds, at least 0.
    public class func hostTime(forSeconds sec: TimeInterval) -> UInt64 { UInt64(max(0, sec * 1e9)) }

    /// Completes the time by another one that is valid in both: a number of the sample from the host's clock, and the reverse. Nil where that cannot be.
    open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
        guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid, isHostTimeValid || sampleRate == anchorTime.sampleRate else { return nil }
        if isHostTimeValid {
            guard !isSampleTimeValid else { return self }
            let elapsed = (Double(hostTime) - Double(anchorTime.hostTime)) / 1e9
            let sample = anchorTime.sampleTime + AVAudioFramePosition((elapsed * anchorTime.sampleRate).rounded())
            return AVAudioTime(hostTime: hostTime, sampleTime: sample, atRate: anchorTime.sampleRate)
        }
        let elapsed = Double(sampleTime - anchorTime.sampleTime) / sampleRate
        let host = UInt64(max(0, Double(anchorTime.hostTime) + (elapsed * 1e9).rounded()))
        return AVAudioTime(hostTime: host, sampleTime: sampleTime, atRate: sampleRate)
    }
}
