import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Receiver of sample buffers of sound, called on the queue it was set with.
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: NSObjectProtocol {
    /// Called for every buffer of sound; not for those that are left out.
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension AVCaptureAudioDataOutputSampleBufferDelegate {
    /// Does nothing, for delegates without this method.
    public func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {}
}

/// Output of a microphone's sound: linear PCM, 16-bit integers, interleaved, at the rate of the microphone.
///
/// A buffer holds the sound of one frame of the camera, without a camera 1024 samples or the source's own pace; each begins where the one
/// before ended.
/// A microphone in mode `.none` gives one channel, in `.stereo` two, in `.firstOrderAmbisonics` what `spatialAudioChannelLayoutTag` says.
/// Sound that comes more than half a second late is left out without notice.
open class AVCaptureAudioDataOutput: AVCaptureOutput, @unchecked Sendable {
    private struct State: @unchecked Sendable {
        weak var delegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?
        var queue: DispatchQueue?
        var tag = kAudioChannelLayoutTag_Unknown
        /// Times since and until when a client of `CaptureEnvironment.audioClientTime` is busy with its last buffer.
        var busy: (since: CMTime, until: CMTime)?
        /// Format of the last buffer, used again while it holds.
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

    /// Delay of a client beyond which sound is left out.
    static let patience = CMTime(value: 1, timescale: 2)

    private let state = Mutex(State())
    /// Under the wall clock: as many buffers as half a second has frames.
    private let backlog = Backlog(limit: 15)

    /// Makes an output without a session.
    public override init() {}

    override var mediaType: AVMediaType { .audio }

    override func streamWillBegin(isSwitch: Bool) { state.withLock { $0.busy = nil } }

    /// Sets the receiver of sound and its queue, which must be serial for buffers to come in order; raises for a delegate without a queue.
    open func setSampleBufferDelegate(
        _ sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?, queue sampleBufferCallbackQueue: DispatchQueue?
    ) {
        guard environment.allows(sampleBufferDelegate, on: sampleBufferCallbackQueue, "-[AVCaptureAudioDataOutput setSampleBufferDelegate:queue:]")
        else { return }
        state.withLock {
            $0.delegate = sampleBufferDelegate
            $0.queue = sampleBufferCallbackQueue
        }
    }

    /// Receiver of sound, held weakly; nil without one.
    open var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? { state.withLock { $0 }.delegate }
    /// Queue that the delegate is called on; nil without one.
    open var sampleBufferCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }

    static let ambisonicsTag = kAudioChannelLayoutTag_HOA_ACN_SN3D | 4

    /// Layout that first-order ambisonics is delivered in: stereo, or `kAudioChannelLayoutTag_HOA_ACN_SN3D | 4`; raises for others.
    ///
    /// It must be one of them with such a microphone, and has no effect with another. Unknown at first.
    open var spatialAudioChannelLayoutTag: AudioChannelLayoutTag {
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

    /// Settings for an asset writer to write this output's sound with, rates in Hz and bit/s; nil until the output is connected.
    open func recommendedAudioSettingsForAssetWriter(writingTo outputFileType: AVFileType) -> [String: Any]? {
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
        return settings.bridged
    }

    /// Hands one buffer, in the layout of the connection, to the synchronizer, or to the delegate and waits until it was taken.
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
    /// Makes a buffer of the sound as 16-bit integers.
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

    package var tag: AudioChannelLayoutTag {
        switch self {
        case .mono: kAudioChannelLayoutTag_Mono
        case .stereo: kAudioChannelLayoutTag_Stereo
        case .firstOrderAmbisonics: AVCaptureAudioDataOutput.ambisonicsTag
        }
    }
}
