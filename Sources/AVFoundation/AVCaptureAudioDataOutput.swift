import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Takes sample buffers of sound, on the queue of the delegate.
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: NSObjectProtocol {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension AVCaptureAudioDataOutputSampleBufferDelegate {
    public func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {}
}

/// Delivers what a microphone hears: linear PCM, 16-bit whole numbers, interleaved, at the rate of the microphone.
///
/// A buffer holds what belongs to one frame of the camera, without a camera 1024 samples or what the source likes; each begins where the one before ended.
/// A microphone in mode `.none` gives one channel, in `.stereo` two, in `.firstOrderAmbisonics` what `spatialAudioChannelLayoutTag` says.
/// Sound that comes more than half a second late is left out, and nobody is told.
public final class AVCaptureAudioDataOutput: AVCaptureOutput, @unchecked Sendable {
    private struct State: @unchecked Sendable {
        weak var delegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?
        var queue: DispatchQueue?
        var tag = kAudioChannelLayoutTag_Unknown
        /// When a client of `CaptureEnvironment.audioClientTime` is done with what it was handed last, and when that was.
        var busy: (since: CMTime, until: CMTime)?
        /// That of the last buffer, used again while it holds.
        var format: CMFormatDescription?

        /// Whether a client that takes `cost` over the sound of a time is near enough behind to be handed it.
        mutating func isPatient(at time: CMTime, cost: (@Sendable (CMTime) -> CMTime)?) -> Bool {
            guard let cost else { return true }
            // Time that goes back is another run.
            let until = busy.flatMap { $0.since <= time ? max($0.until, time) : nil } ?? time
            guard until <= time + AVCaptureAudioDataOutput.patience else { return false }
            busy = (time, until + cost(time))
            return true
        }
    }

    /// What a client may be behind before sound is left out.
    static let patience = CMTime(value: 1, timescale: 2)

    private let state = Mutex(State())
    /// Under the wall clock: as many stretches as half a second has frames.
    private let backlog = Backlog(limit: 15)

    public init() { super.init(environment: .current) }

    override var mediaType: AVMediaType { .audio }

    override func streamWillBegin(isSwitch: Bool) { state.withLock { $0.busy = nil } }

    /// Every buffer comes on `sampleBufferCallbackQueue`, which must be serial for them to come in order.
    public func setSampleBufferDelegate(
        _ sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?, queue sampleBufferCallbackQueue: DispatchQueue?
    ) {
        guard environment.allows(sampleBufferDelegate, on: sampleBufferCallbackQueue, "-[AVCaptureAudioDataOutput setSampleBufferDelegate:queue:]")
        else { return }
        state.withLock {
            $0.delegate = sampleBufferDelegate
            $0.queue = sampleBufferCallbackQueue
        }
    }

    public var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? { state.withLock { $0 }.delegate }
    public var sampleBufferCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }

    static let ambisonicsTag = kAudioChannelLayoutTag_HOA_ACN_SN3D | 4

    /// What a microphone of first-order ambisonics is delivered as: stereo, or `kAudioChannelLayoutTag_HOA_ACN_SN3D | 4`.
    ///
    /// It must be one of them with such a microphone, and has no effect with another. Unknown at first.
    public var spatialAudioChannelLayoutTag: AudioChannelLayoutTag {
        get { state.withLock { $0.tag } }
        set {
            guard [kAudioChannelLayoutTag_Unknown, kAudioChannelLayoutTag_Stereo, Self.ambisonicsTag].contains(newValue) else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureAudioDataOutput setSpatialAudioChannelLayoutTag:]",
                    "\(newValue) is not supported - use kAudioChannelLayoutTag_Stereo or (kAudioChannelLayoutTag_HOA_ACN_SN3D | 4)")
            }
            state.withLock { $0.tag = newValue }
        }
    }

    /// What an asset writer does well to write this output's sound as; nil until the output is connected.
    public func recommendedAudioSettingsForAssetWriter(writingTo outputFileType: AVFileType) -> [String: Any]? {
        guard let connection = connection(with: .audio), let layout = connection.soundLayout else { return nil }
        let isUncompressed = outputFileType == .wav
        var settings: [String: Any] = [
            AVFormatIDKey: isUncompressed ? kAudioFormatLinearPCM : kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000.0,
            AVNumberOfChannelsKey: layout.channelCount,
        ]
        if isUncompressed {
            settings[AVLinearPCMBitDepthKey] = 16
            settings[AVLinearPCMIsFloatKey] = false
            settings[AVLinearPCMIsBigEndianKey] = false
            settings[AVLinearPCMIsNonInterleaved] = false
        } else {
            settings[AVEncoderBitRatePerChannelKey] = 64_000
        }
        return settings
    }

    /// Hands one stretch, in the layout of the connection, to the synchronizer, or to the delegate and waits until it was taken.
    func deliver(_ sound: Sound, through connection: AVCaptureConnection, by delivery: Delivery) {
        let (receiver, format) = state.withLock {
            state -> ((any AVCaptureAudioDataOutputSampleBufferDelegate, DispatchQueue)?, CMFormatDescription) in
            let format = CMFormatDescription(linearPCM: sound.sampleRate, layout: sound.layout.tag)
            if state.format != format { state.format = format }
            guard let delegate = state.delegate, let queue = state.queue else { return (nil, state.format ?? format) }
            let isPatient = synchronizer != nil || state.isPatient(at: sound.presentationTime, cost: environment.audioClientTime)
            return (isPatient ? (delegate, queue) : nil, state.format ?? format)
        }
        guard synchronizer != nil || receiver != nil, let sample = CMSampleBuffer(sound, format: format) else { return }
        if let synchronizer {
            return synchronizer.hold(AVCaptureSynchronizedSampleBufferData(sampleBuffer: sample, droppedReason: .none), from: self)
        }
        guard let (delegate, queue) = receiver else { return }
        nonisolated(unsafe) let taker = delegate
        delivery.hand(to: queue, in: backlog) { taker.captureOutput(self, didOutput: sample, from: connection) }
    }
}

extension CMSampleBuffer {
    /// The sound as whole numbers of 16 bits.
    convenience init?(_ sound: Sound, format: CMFormatDescription) {
        guard let data = try? CMBlockBuffer(length: 2 * sound.samples.count) else { return nil }
        _ = try? data.withUnsafeMutableBytes { bytes in
            let target = bytes.bindMemory(to: Int16.self)
            for (index, sample) in sound.samples.enumerated() { target[index] = Int16(min(max((sample * 32_768).rounded(), -32_768), 32_767)) }
        }
        try? self.init(dataBuffer: data, formatDescription: format, numSamples: sound.sampleCount, presentationTimeStamp: sound.presentationTime)
    }
}

extension Sound.Layout {
    init(_ mode: AVCaptureMultichannelAudioMode) {
        switch mode {
        case .none: self = .mono
        case .stereo: self = .stereo
        case .firstOrderAmbisonics: self = .firstOrderAmbisonics
        }
    }

    var tag: AudioChannelLayoutTag {
        switch self {
        case .mono: kAudioChannelLayoutTag_Mono
        case .stereo: kAudioChannelLayoutTag_Stereo
        case .firstOrderAmbisonics: AVCaptureAudioDataOutput.ambisonicsTag
        }
    }
}
