import AVFCapture
import CoreMedia
import Foundation
import Synchronization

/// Sound that is mixed of several tracks of an asset, without gaps from the start of the reader's range, or of the asset, to the last track's end.
open class AVAssetReaderAudioMixOutput: AVAssetReaderOutput, @unchecked Sendable {
    /// Tracks of sound.
    public let audioTracks: [AVAssetTrack]
    /// Format of the sound, linear PCM; what it leaves open is as in the first track, with as many channels as the track with the most.
    public let audioSettings: [String: Any]?
    private let owner: AVAsset?
    private let state = Mutex<(mix: AVAudioMix?, reading: AudioMixReading?)>((nil, nil))

    /// Makes an output of tracks of one asset; settings that nothing can be decoded to let `startReading()` fail.
    public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
        (self.audioTracks, self.audioSettings, owner) = (audioTracks, audioSettings, audioTracks.first?.asset)
        super.init()
    }

    /// Kind of media of the tracks.
    open override var mediaType: AVMediaType { .audio }

    /// Way to mix the tracks; nil leaves all as loud as recorded. Raises after reading has begun.
    open var audioMix: AVAudioMix? {
        get { state.withLock { $0.mix } }
        set {
            guard mayChange("-[AVAssetReaderAudioMixOutput setAudioMix:]") else { return }
            state.withLock { $0.mix = newValue?.copy() as? AVAudioMix }
        }
    }

    override var asset: AVAsset? { owner }

    override func open(_ range: CMTimeRange) throws {
        let reading = try AudioMixReading(of: audioTracks, audioMix, in: range, as: audioSettings ?? [:])
        state.withLock { $0.reading = reading }
    }

    override func read() throws -> CMSampleBuffer? { try state.withLock { $0.reading }?.next() }

    override func close() { state.withLock { $0.reading = nil } }
}
