import Foundation
import Synchronization

/// The app's way to sound: category, mode, route and permission as values that a phone would keep; nothing is heard or played.
///
/// One for each environment. Its inputs are the microphones of the phone. A call that takes the microphone (`CaptureConditions.interrupt` with
/// `.audioDeviceInUseByAnotherClient`) interrupts it.
open class AVAudioSession: NSObject, _KeyValueObservable, @unchecked Sendable {
    /// Observers of the session's properties.
    public let _observers = _KeyValueObservers()
    private let state = Mutex(State())
    private weak var conditions: CaptureConditions?
    private let microphones: [CameraProfile]

    private struct State: Sendable {
        var category = Category.soloAmbient
        var mode = Mode.default
        var options: CategoryOptions = []
        var policy = RouteSharingPolicy.default
        var preferredInput: AVAudioSessionPortDescription?
        var preferredSampleRate = 0.0
        var preferredBufferDuration = 0.0
        var preferredInputChannels = 0
        var preferredOutputChannels = 0
        var port = PortOverride.none
        var allowsHaptics = false
        var refusesAlerts = false
        var preferredOrientation = StereoOrientation.none
    }

    init(_ environment: CaptureEnvironment) {
        conditions = environment.conditions
        microphones = environment.cameras.filter(\.isMicrophone)
    }

    private static let withoutPhone = AVAudioSession(CaptureEnvironment(cameras: [], renderer: nil) { throw CameraMissing(camera: $0.uniqueID) })

    /// Returns the session of the environment; without one a session that has no input.
    open class func sharedInstance() -> AVAudioSession {
        guard let environment = CaptureEnvironment.bound else { return withoutPhone }
        return environment.conditions.audioSession { AVAudioSession(environment) }
    }

    // MARK: category

    /// Use of sound; default `.soloAmbient`.
    open var category: Category { state.withLock { $0.category } }
    /// Special use within the category; default `.default`.
    open var mode: Mode { state.withLock { $0.mode } }
    /// Exceptions from the category's rules; default none.
    open var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// Kind of output that sound may be sent to; default `.default`.
    open var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }
    /// All categories.
    open var availableCategories: [Category] { [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute] }
    /// All modes.
    open var availableModes: [Mode] {
        [.default, .voiceChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .videoChat, .spokenAudio, .voicePrompt]
    }

    /// Sets the category, and takes back mode and options.
    open func setCategory(_ category: Category) throws { try setCategory(category, mode: .default, policy: .default, options: []) }
    /// Sets the category with options, and takes back the mode; throws the code -50 for options that the category does not have.
    open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        try setCategory(category, mode: .default, policy: .default, options: options)
    }
    /// Sets category, mode and options; throws the code -50 for options that the category does not have.
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }
    /// Sets category, mode, policy and options; throws the code -50 for options that the category does not have.
    open func setCategory(_ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []) throws {
        guard options.isSubset(of: category.options), availableCategories.contains(category), availableModes.contains(mode) else {
            throw ErrorCode.badParam.error
        }
        let before = currentRoute
        let changed = state.withLock { state in
            defer { (state.category, state.mode, state.policy, state.options) = (category, mode, policy, options) }
            return state.category != category
        }
        if changed { tellRoute(.categoryChange, before: before) }
    }

    /// Sets the mode; throws the code -50 for one that is not available.
    open func setMode(_ mode: Mode) throws { try setCategory(category, mode: mode, policy: routeSharingPolicy, options: categoryOptions) }

    /// Activates the session or lets it go; both always succeed, as there is no other app.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}

    // MARK: permission

    /// Consent of the user, that of `AVCaptureDevice.authorizationStatus(for: .audio)`.
    open var recordPermission: RecordPermission { RecordPermission(conditions?.authorization(for: .audio) ?? .denied) }

    /// Asks the user, once; afterwards repeats the decision. The handler is called on a queue of the system's.
    @preconcurrency
    open func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
        conditions?.ask(for: .audio) { isGranted in DispatchQueue.global().async { response(isGranted) } }
    }

    // MARK: route

    /// Whether the phone has a microphone.
    open var isInputAvailable: Bool { !microphones.isEmpty }
    /// Microphones of the phone; nil in a category without input.
    open var availableInputs: [AVAudioSessionPortDescription]? {
        category.options.contains(.hasInput) ? microphones.map { AVAudioSessionPortDescription($0) } : nil
    }
    /// Microphone in use and the built-in loudspeaker, by category and options.
    open var currentRoute: AVAudioSessionRouteDescription {
        let state = state.withLock { $0 }
        let hasInput = state.category.options.contains(.hasInput)
        let inputs = hasInput ? [state.preferredInput ?? microphones.first.map { AVAudioSessionPortDescription($0) }].compactMap { $0 } : []
        // As a phone with nothing plugged in: what is played while recording goes to the ear.
        let isAtEar = state.category == .playAndRecord && !state.options.contains(.defaultToSpeaker) && state.port == .none
        let outputs = state.category == .record ? [] : [isAtEar ? AVAudioSessionPortDescription.receiver : .speaker]
        return AVAudioSessionRouteDescription(inputs: inputs, outputs: outputs)
    }
    /// Posture that stereo is recorded for: none, as no microphone has that pattern.
    open var inputOrientation: StereoOrientation { .none }
    /// Posture that the app prefers for stereo.
    open var preferredInputOrientation: StereoOrientation { state.withLock { $0.preferredOrientation } }
    /// Prefers a posture for stereo; kept, as no microphone has that pattern.
    open func setPreferredInputOrientation(_ orientation: StereoOrientation) throws { state.withLock { $0.preferredOrientation = orientation } }
    /// Microphone that the app asked for; nil for the phone's choice.
    open var preferredInput: AVAudioSessionPortDescription? { state.withLock { $0.preferredInput } }

    /// Asks for a microphone, nil for the phone's choice; throws the code -50 for one that is not available.
    open func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        guard inPort == nil || availableInputs?.contains(where: { $0.uid == inPort?.uid }) == true else {
            throw ErrorCode.badParam.error
        }
        let before = currentRoute
        state.withLock { $0.preferredInput = inPort }
        tellRoute(.override, before: before)
    }

    /// Sends what is played while recording to the loudspeaker or back; throws the code -50 outside of `.playAndRecord`.
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        guard category == .playAndRecord else { throw ErrorCode.badParam.error }
        let before = currentRoute
        state.withLock { $0.port = portOverride }
        tellRoute(.override, before: before)
    }

    private func tellRoute(_ reason: RouteChangeReason, before: AVAudioSessionRouteDescription) {
        NotificationCenter.default.post(
            name: Self.routeChangeNotification, object: self,
            userInfo: [AVAudioSessionRouteChangeReasonKey: NSNumber(value: reason.rawValue), AVAudioSessionRouteChangePreviousRouteKey: before])
    }

    // MARK: hardware

    /// Rate of the hardware in hertz: the one asked for, else 48 000.
    open var sampleRate: Double { preferredSampleRate > 0 ? preferredSampleRate : 48_000 }
    /// Rate asked for in hertz; 0 without a wish.
    open var preferredSampleRate: Double { state.withLock { $0.preferredSampleRate } }
    /// Asks for a rate in hertz.
    open func setPreferredSampleRate(_ sampleRate: Double) throws { state.withLock { $0.preferredSampleRate = sampleRate } }
    /// Length of a buffer in seconds: the one asked for, else 1024 samples.
    open var ioBufferDuration: TimeInterval { preferredIOBufferDuration > 0 ? preferredIOBufferDuration : 1024 / sampleRate }
    /// Length of a buffer asked for, in seconds; 0 without a wish.
    open var preferredIOBufferDuration: TimeInterval { state.withLock { $0.preferredBufferDuration } }
    /// Asks for a length of buffers in seconds.
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws { state.withLock { $0.preferredBufferDuration = duration } }
    /// Number of channels that come in: 1 where the route has a microphone.
    open var inputNumberOfChannels: Int { currentRoute.inputs.count }
    /// Number of channels that go out: 1 at the ear, 2 from the loudspeaker.
    open var outputNumberOfChannels: Int { currentRoute.outputs.first.map { $0.portType == .builtInReceiver ? 1 : 2 } ?? 0 }
    /// Number of channels asked for to come in; 0 without a wish.
    open var preferredInputNumberOfChannels: Int { state.withLock { $0.preferredInputChannels } }
    /// Asks for a number of channels to come in; kept, as a microphone has one.
    open func setPreferredInputNumberOfChannels(_ count: Int) throws { state.withLock { $0.preferredInputChannels = count } }
    /// Number of channels asked for to go out; 0 without a wish.
    open var preferredOutputNumberOfChannels: Int { state.withLock { $0.preferredOutputChannels } }
    /// Asks for a number of channels to go out; kept.
    open func setPreferredOutputNumberOfChannels(_ count: Int) throws { state.withLock { $0.preferredOutputChannels = count } }
    /// Most channels that can come in.
    open var maximumInputNumberOfChannels: Int { inputNumberOfChannels }
    /// Most channels that can go out.
    open var maximumOutputNumberOfChannels: Int { outputNumberOfChannels }
    /// Amplification of what comes in, 0…1: 1, as a phone's microphones have none to set.
    open var inputGain: Float { 1 }
    /// Whether the amplification can be set; never, as on a phone without accessories.
    open var isInputGainSettable: Bool { false }
    /// Throws the code -50, as the amplification cannot be set.
    open func setInputGain(_ gain: Float) throws { throw ErrorCode.badParam.error }
    /// Seconds that what comes in takes: none, as a test's sound is there at once.
    open var inputLatency: TimeInterval { 0 }
    /// Seconds that what goes out takes: none.
    open var outputLatency: TimeInterval { 0 }
    /// Volume of the hardware: 1, as there is no button to change it.
    open var outputVolume: Float { 1 }
    /// Whether another app plays; never here.
    open var isOtherAudioPlaying: Bool { false }
    /// Whether the app should silence sound that is not its main one; never here.
    open var secondaryAudioShouldBeSilencedHint: Bool { false }
    /// Whether haptics may sound while recording; default false.
    open var allowHapticsAndSystemSoundsDuringRecording: Bool { state.withLock { $0.allowsHaptics } }
    /// Sets whether haptics may sound while recording.
    open func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws { state.withLock { $0.allowsHaptics = inValue } }

    /// Whether calls that ring leave the session alone; kept.
    open var prefersNoInterruptionsFromSystemAlerts: Bool { state.withLock { $0.refusesAlerts } }
    /// Sets whether calls that ring leave the session alone.
    open func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws { state.withLock { $0.refusesAlerts = inValue } }

    /// Posts the begin of an interruption, or its end with the advice to resume.
    func tellInterruption(isBegin: Bool) {
        var info: [AnyHashable: Any] = [
            AVAudioSessionInterruptionTypeKey: NSNumber(value: (isBegin ? InterruptionType.began : .ended).rawValue)
        ]
        if !isBegin { info[AVAudioSessionInterruptionOptionKey] = NSNumber(value: InterruptionOptions.shouldResume.rawValue) }
        NotificationCenter.default.post(name: Self.interruptionNotification, object: self, userInfo: info)
    }
}
