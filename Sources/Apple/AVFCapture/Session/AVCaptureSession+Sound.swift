import CoreMedia
import Foundation
import Synchronization

extension AVCaptureSession {
    /// Microphone among the inputs.
    private var committedMicrophone: AVCaptureDeviceInput? {
        inputs.lazy.compactMap { $0 as? AVCaptureDeviceInput }.first { $0.device.hasMediaType(.audio) }
    }

    /// Opens the microphone among the inputs, or none; keeps the one that is open already.
    func openMicrophone() throws {
        let (input, old) = (committedMicrophone, state.withLock { $0.microphone })
        guard input !== old?.input else { return }
        defer { GraphRevision.advance() }
        state.withLock { $0.microphone = nil }
        guard let input else { return }
        guard input.device.isConnected else { throw AVError(.deviceNotConnected) }
        let source = try environment.openMicrophone(input.device.profile)
        state.withLock { $0.microphone = Microphone(input: input, source: source) }
    }

    // MARK: rules

    /// Reason why another output of sound cannot be added: with first-order ambisonics there may be two, one of each layout, else one.
    func refusal(ofAnother output: AVCaptureAudioDataOutput) -> String? {
        let others = outputs.compactMap { $0 as? AVCaptureAudioDataOutput }
        let isSpatial = committedMicrophone?.multichannelAudioMode == .firstOrderAmbisonics
        let tag = output.spatialAudioChannelLayoutTag
        let isTwin = others.contains { $0.spatialAudioChannelLayoutTag == tag } && tag != kAudioChannelLayoutTag_Unknown
        guard others.count >= (isSpatial ? 2 : 1) || isTwin else { return nil }
        return "Can't add \(output) because more than one output of the same type is unsupported"
            + (isSpatial ? ", but for one of each spatialAudioChannelLayoutTag" : "")
    }

    /// Checks outputs of sound; false, and raises, where they do not go with the microphone's mode.
    func allowsSoundLayouts(_ selector: String) -> Bool {
        let outputs = outputs.compactMap { $0 as? AVCaptureAudioDataOutput }
        let tags = outputs.filter { $0.connection(with: .audio) != nil }.map(\.spatialAudioChannelLayoutTag)
        guard committedMicrophone?.multichannelAudioMode == .firstOrderAmbisonics else {
            guard outputs.count > 1, !(self is AVCaptureMultiCamSession) else { return true }
            environment.raise(
                .invalidArgument, selector,
                "more than one AVCaptureAudioDataOutput is unsupported without AVCaptureMultichannelAudioModeFirstOrderAmbisonics")
            return false
        }
        if tags.contains(kAudioChannelLayoutTag_Unknown) {
            environment.raise(
                .invalidArgument, selector,
                "spatialAudioChannelLayoutTag must be kAudioChannelLayoutTag_Stereo or (kAudioChannelLayoutTag_HOA_ACN_SN3D | 4)"
                    + " with AVCaptureMultichannelAudioModeFirstOrderAmbisonics")
        } else if Set(tags).count < tags.count {
            environment.raise(.invalidArgument, selector, "two AVCaptureAudioDataOutputs must differ in spatialAudioChannelLayoutTag")
        } else {
            return true
        }
        return false
    }
}
