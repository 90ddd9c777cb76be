import AVFCapture
import Foundation
import Synchronization

/// Way to mix tracks of sound: for each, how loud it is over time. Tracks that are not named are as loud as recorded.
///
///     let music = AVMutableAudioMixInputParameters(track: track)
///     music.setVolumeRamp(fromStartVolume: 1, toEndVolume: 0, timeRange: lastSecond)
///     let mix = AVMutableAudioMix()
///     mix.inputParameters = [music]
///     session.audioMix = mix                           // an AVAssetExportSession, or an AVAssetReaderAudioMixOutput
open class AVAudioMix: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    fileprivate let parameters = Mutex<[AVAudioMixInputParameters]>([])

    override init() {}

    /// Mix of parameters.
    package convenience init(_ parameters: [AVAudioMixInputParameters]) {
        self.init()
        self.parameters.withLock { $0 = parameters }
    }

    /// Parameters of the tracks, one each.
    open var inputParameters: [AVAudioMixInputParameters] { parameters.withLock { $0 } }

    /// Returns a mix of the same parameters.
    open func copy(with zone: NSZone? = nil) -> Any { AVAudioMix(inputParameters.map(\.snapshot)) }

    /// Returns an `AVMutableAudioMix` of the same parameters.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let mix = AVMutableAudioMix()
        mix.inputParameters = inputParameters
        return mix
    }
}

/// Way to mix tracks of sound that can be changed.
open class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {
    /// Makes a mix in which every track is as loud as recorded.
    public override init() { super.init() }

    /// Parameters of the tracks, one each.
    open override var inputParameters: [AVAudioMixInputParameters] {
        get { super.inputParameters }
        set { parameters.withLock { $0 = newValue } }
    }
}
