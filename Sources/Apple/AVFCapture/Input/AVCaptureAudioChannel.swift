import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Level meter of one channel of a connection, from the samples that flow through it. Not observable.
public final class AVCaptureAudioChannel: NSObject, Sendable {
    /// Level of a silent channel in decibels of full scale.
    static let floor: Float = -160
    /// Time that a peak is held.
    static let hold = CMTime(value: 3, timescale: 2)

    private struct State: Sendable {
        var meanSquare: Float = 0
        /// Peaks of the buffers held, each louder than those after it.
        var peaks: [(level: Float, time: CMTime)] = []
    }

    private let state = Mutex(State())

    /// Power of the newest buffer in decibels of full scale: −3 for a full tone, −160 for silence.
    public var averagePowerLevel: Float { state.withLock { Self.decibels($0.meanSquare.squareRoot()) } }

    /// Loudest sample of the last 1.5 s in decibels of full scale: 0 at most, −160 for silence.
    public var peakHoldLevel: Float { state.withLock { Self.decibels($0.peaks.first?.level ?? 0) } }

    private static func decibels(_ amplitude: Float) -> Float { amplitude > 0 ? max(20 * log10(amplitude), floor) : floor }

    /// Measures `channel` of a sound.
    func measure(_ channel: Int, of sound: Sound) {
        guard sound.sampleCount > 0 else { return }
        var (sum, peak): (Float, Float) = (0, 0)
        for index in stride(from: channel, to: sound.samples.count, by: sound.layout.channelCount) {
            sum += sound.samples[index] * sound.samples[index]
            peak = max(peak, abs(sound.samples[index]))
        }
        let time = sound.presentationTime
        state.withLock { state in
            state.meanSquare = sum / Float(sound.sampleCount)
            // A time after this one is of another run.
            state.peaks.removeAll { $0.level <= peak || $0.time > time || $0.time + Self.hold < time }
            state.peaks.append((peak, time))
        }
    }
}

extension AVCaptureConnection {
    /// Meters of the channels of sound, one for each; empty for other media.
    public var audioChannels: [AVCaptureAudioChannel] {
        guard let layout = soundLayout else { return [] }
        return meters.withLock { meters in
            if meters.count != layout.channelCount { meters = (0..<layout.channelCount).map { _ in AVCaptureAudioChannel() } }
            return meters
        }
    }

    /// Layout of the sound that flows through the connection; nil for other media.
    var soundLayout: Sound.Layout? {
        guard mediaType == .audio, let input = inputPorts.first?.input as? AVCaptureDeviceInput else { return nil }
        let output = output as? AVCaptureAudioDataOutput
        guard input.multichannelAudioMode == .firstOrderAmbisonics, output?.spatialAudioChannelLayoutTag == kAudioChannelLayoutTag_Stereo else {
            return Sound.Layout(input.multichannelAudioMode)
        }
        return .stereo
    }

    /// Measures `sound`, which has the connection's layout.
    func measure(_ sound: Sound) {
        for (index, channel) in audioChannels.prefix(sound.layout.channelCount).enumerated() { channel.measure(index, of: sound) }
    }
}
