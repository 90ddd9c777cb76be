internal import CALSA
import CoreMedia
import Foundation
import Pipeline
import Support
import Synchronization

/// Sound of an ALSA device on the clock of a camera's frames; PipeWire and PulseAudio serve as `default`.
///
/// A thread reads the device; its clock is compared with the monotonic one, and the samples are resampled so that sound and picture stay together. A range
/// that is asked for is waited for; what is missing after 0.2 s is silence, and counted.
public final class MicrophoneSource: SoundSource {
    /// 48 000 samples per second, whatever the device has.
    public let sampleRate = 48_000
    /// Nil: it has no end.
    public var sampleCount: Int64? { nil }
    private let name: String
    private let layout: Sound.Layout
    private let zero: @Sendable () -> Int64?
    private let shared: Shared

    /// State of the reading thread, which outlives no source.
    private final class Shared: @unchecked Sendable {
        let condition = NSCondition()
        var sound: FollowedSound
        var isOver = false
        var failure: VideoDeviceError?
        var gaps = 0

        init(_ sound: FollowedSound) { self.sound = sound }
    }

    /// Opens a device by its ALSA name, `default` or `hw:1,0`, with one, two or four channels; four are first-order ambisonics.
    ///
    /// - Parameter zero: monotonic nanoseconds of time zero of the frames; nil while no frame has come.
    public init(_ name: String, layout: Sound.Layout, zero: @escaping @Sendable () -> Int64?) throws(VideoDeviceError) {
        (self.name, self.layout, self.zero) = (name, layout, zero)
        var device: OpaquePointer?
        let failure = snd_pcm_open(&device, name, SND_PCM_STREAM_CAPTURE, 0)
        guard failure == 0, let device else { throw Self.error(failure, name) }
        let channels = layout.channelCount
        let refusal = snd_pcm_set_params(
            device, SND_PCM_FORMAT_FLOAT_LE, SND_PCM_ACCESS_RW_INTERLEAVED, UInt32(channels), UInt32(sampleRate), 1, 60_000)
        guard refusal == 0 else {
            snd_pcm_close(device)
            throw VideoDeviceError(
                .unsupported, name, "has no \(channels) channels at \(sampleRate) Hz; plughw: in place of hw: converts", errno: -refusal)
        }
        let shared = Shared(FollowedSound(sampleRate: sampleRate, layout: layout))
        self.shared = shared
        nonisolated(unsafe) let pcm = device
        let (rate, label) = (sampleRate, name)
        Thread.detach(named: "microphone") { Self.read(pcm, channels, rate, label, shared) }
    }

    deinit { shared.condition.withLock { shared.isOver = true } }

    private static func error(_ code: Int32, _ name: String) -> VideoDeviceError {
        let list = names.isEmpty ? "there is none" : "there are \(names.joined(separator: ", "))"
        switch -code {
        case EACCES, EPERM: return .opening(name, errno: -code, group: "audio")
        case EBUSY: return VideoDeviceError(.busy, name, "is in use by another program", errno: -code)
        default: return VideoDeviceError(.missing, name, "there is no such microphone; \(list)", errno: -code)
        }
    }

    /// Names of the devices that can be captured from, the usual one first.
    public static var names: [String] {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var names: [String] = []
        var place = hints
        while let hint = place.pointee {
            func text(_ key: String) -> String? {
                guard let text = snd_device_name_get_hint(hint, key) else { return nil }
                defer { free(text) }
                return String(cString: text)
            }
            if text("IOID") != "Output", let name = text("NAME"), ["default", "pipewire", "pulse"].contains(name) || name.hasPrefix("plughw:") {
                names.append(name)
            }
            place += 1
        }
        return names
    }

    private static func read(_ pcm: OpaquePointer, _ channels: Int, _ rate: Int, _ name: String, _ shared: Shared) {
        var block = [Float](repeating: 0, count: rate / 100 * channels)
        snd_pcm_start(pcm)
        while !shared.condition.withLock({ shared.isOver }) {
            let count = block.withUnsafeMutableBytes { snd_pcm_readi(pcm, $0.baseAddress, snd_pcm_uframes_t(rate / 100)) }
            let now = KernelVideo().now
            // Samples that have come since are younger than those just read.
            let waiting = max(snd_pcm_avail_update(pcm), 0)
            let time = now - Int64(waiting) * 1_000_000_000 / Int64(rate)
            guard count > 0 else {
                let isLost = snd_pcm_recover(pcm, Int32(count), 1) < 0
                shared.condition.withLock {
                    shared.gaps += 1
                    if isLost {
                        // On opening, ENODEV is a card that is not there.
                        let isUnplugged = Int32(count) == -ENODEV
                        shared.failure =
                            isUnplugged ? VideoDeviceError(.disconnected, name, "was unplugged", errno: ENODEV) : error(Int32(count), name)
                    }
                    shared.condition.broadcast()
                }
                if isLost { break }
                snd_pcm_start(pcm)
                continue
            }
            shared.condition.withLock {
                block.withUnsafeBufferPointer { shared.sound.append(UnsafeBufferPointer(rebasing: $0.prefix(count * channels)), until: time) }
                shared.condition.broadcast()
            }
        }
        snd_pcm_close(pcm)
    }

    /// Interruptions of the sound so far, a line; empty without any.
    public var remarks: [String] {
        let gaps = shared.condition.withLock { shared.gaps }
        return gaps == 0 ? [] : ["the sound of \(name) was interrupted \(gaps) times"]
    }

    /// Waits for the range and resamples it to the clock of the frames; throws `VideoDeviceError` where the device is gone.
    public func sound(of samples: Range<Int64>) throws -> Sound {
        guard let zero = zero() else { return .silence(samples, sampleRate: sampleRate, layout: layout) }
        return try shared.condition.withLock {
            let deadline = Date(timeIntervalSinceNow: 0.2)
            while true {
                if let failure = shared.failure { throw failure }
                if shared.sound.hasAll(before: samples.upperBound, zero: zero) { break }
                guard shared.condition.wait(until: deadline) else {
                    shared.gaps += 1
                    break
                }
            }
            return shared.sound.sound(of: samples, zero: zero)
        }
    }
}
