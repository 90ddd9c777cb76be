import AVFCapture
import CoreMedia
import Synchronization

/// Number of an input or output of a node.
public typealias AVAudioNodeBus = Int
/// Receiver of what a node gives.
public typealias AVAudioNodeTapBlock = (_ buffer: AVAudioPCMBuffer, _ when: AVAudioTime) -> Void
/// Function called when a player is done.
public typealias AVAudioNodeCompletionHandler = () -> Void

extension Notification.Name {
    /// Posted when the hardware's channels or rate changed; never here.
    public static let AVAudioEngineConfigurationChange = Notification.Name("AVAudioEngineConfigurationChangeNotification")
}

/// Ends the program: of an engine there is the microphone alone; the other names in this file make model code compile that is not run here.
private func missing(_ name: String) -> Never {
    fatalError("\(name): of an audio engine there is the tap of its inputNode alone here; keep this code out of the test")
}

/// Graph of nodes that sound goes through, of which the microphone works: what its tap hears. Calls for other nodes end the program and name themselves.
///
///     stopped ──start──► running ◄──start── paused
///        ▲                 │ └──pause, interruption──►│
///        └────stop, reset of the media services───────┘
open class AVAudioEngine: NSObject, @unchecked Sendable {
    private struct State: @unchecked Sendable {
        var inputNode: AVAudioInputNode?
        var microphone: MicrophoneSession?
        var isRunning = false
    }

    private let state = Mutex(State())
    private let made = CaptureEnvironment.bound
    private let queue = DispatchQueue(label: "rackfocus.audio-engine")
    var environment: CaptureEnvironment { made ?? CaptureEnvironment.current }

    /// Makes an engine without nodes.
    public override init() {}

    /// Source of the microphone's sound.
    open var inputNode: AVAudioInputNode {
        state.withLock { state in
            let node = state.inputNode ?? AVAudioInputNode(of: self)
            state.inputNode = node
            return Shared(node)
        }.node
    }

    private struct Shared: @unchecked Sendable {
        let node: AVAudioInputNode
        init(_ node: AVAudioInputNode) { self.node = node }
    }

    /// Sink of the loudspeaker; ends the program.
    open var outputNode: AVAudioOutputNode { missing("AVAudioEngine.outputNode") }
    /// Mixer ahead of the output; ends the program.
    open var mainMixerNode: AVAudioMixerNode { missing("AVAudioEngine.mainMixerNode") }
    /// Whether the engine runs; not while a call of the phone lasts, nor after it until it is started again.
    open var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Takes a node in; ends the program.
    open func attach(_ node: AVAudioNode) { missing("AVAudioEngine.attach") }
    /// Gives a node up; ends the program.
    open func detach(_ node: AVAudioNode) { missing("AVAudioEngine.detach") }
    /// Connects two nodes; ends the program.
    open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) { missing("AVAudioEngine.connect") }
    /// Connects two nodes by their buses; ends the program.
    open func connect(
        _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus, format: AVAudioFormat?
    ) { missing("AVAudioEngine.connect") }
    /// Takes a connection away; ends the program.
    open func disconnectNodeOutput(_ node: AVAudioNode) { missing("AVAudioEngine.disconnectNodeOutput") }
    /// Takes what it needs to start: without effect, as that takes no time.
    open func prepare() {}

    /// Starts. Throws `!rec` without a microphone, in a category of the audio session without input and where the microphone cannot be opened, and `!int`
    /// during a call of the phone; ends the program where nobody asked for the `inputNode`.
    open func start() throws {
        let (hasInput, isRunning) = state.withLock { ($0.inputNode != nil, $0.isRunning) }
        guard hasInput else { missing("AVAudioEngine.start") }
        if isRunning { return }
        let environment = environment
        guard environment.entered({ AVAudioSession.sharedInstance().availableInputs != nil }),
            let microphone = state.withLock({ $0.microphone }) ?? openMicrophone(environment)
        else { throw AVAudioSession.ErrorCode.cannotStartRecording.error }
        state.withLock { $0.microphone = microphone }
        guard microphone.start() else {
            let code: AVAudioSession.ErrorCode = microphone.isInterrupted ? .cannotInterruptOthers : .cannotStartRecording
            throw code.error
        }
        state.withLock { $0.isRunning = true }
    }

    private func openMicrophone(_ environment: CaptureEnvironment) -> MicrophoneSession? {
        environment.entered {
            MicrophoneSession(in: environment, queue: queue) { [weak self] event in
                guard let self else { return }
                switch event {
                case .sound(let sample): if isRunning { inputNode.hear(sample) }
                case .interruption: pause()
                case .failure: _ = leave()
                }
            }
        }
    }

    /// Pauses; `start()` goes on.
    open func pause() { state.withLock { $0.isRunning = false } }
    /// Stops, and closes the microphone.
    open func stop() { leave()?.stop() }

    /// Goes to stopped; returns the microphone, nil where there was none.
    private func leave() -> MicrophoneSession? {
        state.withLock { state in
            defer { (state.isRunning, state.microphone) = (false, nil) }
            return state.microphone
        }
    }

    /// Drops what is under way: without effect, as nothing waits.
    open func reset() {}
}

/// Node of an engine's graph.
open class AVAudioNode: NSObject {
    /// Engine of the node: nil, as none takes one in.
    open var engine: AVAudioEngine? { nil }
    /// Time of what was last rendered: nil.
    open var lastRenderTime: AVAudioTime? { nil }
    /// Format of what comes in; ends the program.
    open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { missing("AVAudioNode.inputFormat") }
    /// Format of what goes out; ends the program.
    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { missing("AVAudioNode.outputFormat") }
    /// Hands what a bus gives to a block; ends the program.
    open func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?, block tapBlock: @escaping AVAudioNodeTapBlock
    ) { missing("AVAudioNode.installTap") }
    /// Takes the block of a bus away: without effect, as there is none.
    open func removeTap(onBus bus: AVAudioNodeBus) {}
    /// Drops what is under way: without effect, as nothing runs.
    open func reset() {}
}

/// Node of the device.
open class AVAudioIONode: AVAudioNode {
    /// Whether echoes are taken out: false.
    open var isVoiceProcessingEnabled: Bool { false }
    /// Takes echoes out; ends the program.
    open func setVoiceProcessingEnabled(_ enabled: Bool) throws { missing("AVAudioIONode.setVoiceProcessingEnabled") }
}

/// The microphone: one bus of 32-bit floats of one channel, at the rate of the app's audio session.
open class AVAudioInputNode: AVAudioIONode {
    /// Block that hears; used on the engine's queue.
    private final class Tap: @unchecked Sendable {
        let format: AVAudioFormat
        let block: AVAudioNodeTapBlock
        var converter: AVAudioConverter?
        var frames: AVAudioFramePosition = 0

        init(_ format: AVAudioFormat, _ block: @escaping AVAudioNodeTapBlock) { (self.format, self.block) = (format, block) }
    }

    private weak var owner: AVAudioEngine?
    private let tap = Mutex<Tap?>(nil)

    init(of engine: AVAudioEngine) { owner = engine }

    /// Engine of the node.
    open override var engine: AVAudioEngine? { owner }
    /// Format of the microphone.
    open override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { format }
    /// Format of the microphone.
    open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { format }

    private var format: AVAudioFormat {
        let rate = owner?.environment.entered { AVAudioSession.sharedInstance().sampleRate } ?? 48_000
        guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1) else {
            preconditionFailure("a rate above 0 makes a format")
        }
        return format
    }

    /// Hands what the microphone hears to a block, on a queue of the engine's, in buffers of the microphone's lengths, whatever `bufferSize` asks for; nil is the
    /// node's format. Ends the program at a second tap, and for a format of another rate or of samples that `AVAudioConverter` does not make.
    open override func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?, block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
        let own = self.format
        let new = Tap(format ?? own, tapBlock)
        guard new.format.sampleRate == own.sampleRate else {
            refuse("Failed to create tap due to format mismatch: \(new.format.sampleRate) Hz, the microphone's are \(own.sampleRate)")
        }
        guard AVAudioConverter(from: own, to: new.format) != nil else {
            refuse("Failed to create tap due to format mismatch: AVAudioConverter makes no samples of the format")
        }
        let isFirst = tap.withLock { tap in
            defer { tap = tap ?? new }
            return tap == nil
        }
        if !isFirst { refuse("required condition is false: nullptr == Tap()") }
    }

    /// Ends the program with words, also of a build that is optimised, where a precondition has none.
    private func refuse(_ reason: String) -> Never { fatalError("com.apple.coreaudio.avfaudio: \(reason)") }

    /// Takes the block away.
    open override func removeTap(onBus bus: AVAudioNodeBus) { tap.withLock { $0 = nil } }

    /// Takes sound of the microphone, on the engine's queue.
    func hear(_ sampleBuffer: CMSampleBuffer) {
        guard let tap = tap.withLock({ $0 }), let buffer = AVAudioPCMBuffer(sampleBuffer) else { return }
        if tap.converter?.inputFormat != buffer.format {
            tap.converter = AVAudioConverter(fromMicrophone: buffer.format, to: tap.format)
            tap.converter?.primeMethod = .none
        }
        let time = UInt64(max(0, sampleBuffer.presentationTimeStamp.seconds * 1e9))
        tap.converter?.convert(buffer) { output in
            guard self.tap.withLock({ $0 === tap }) else { return }
            tap.block(output, AVAudioTime(hostTime: time, sampleTime: tap.frames, atRate: tap.format.sampleRate))
            tap.frames += AVAudioFramePosition(output.frameLength)
        }
    }
}

/// The loudspeaker.
open class AVAudioOutputNode: AVAudioIONode {}

/// Node that adds what comes in.
open class AVAudioMixerNode: AVAudioNode {
    /// Volume of the sum, 0 to 1; kept.
    open var outputVolume: Float = 1
}

/// Node that plays buffers and files.
open class AVAudioPlayerNode: AVAudioNode {
    /// Whether it plays: false.
    open var isPlaying: Bool { false }
    /// Volume, 0 to 1; kept.
    open var volume: Float = 1
    /// Plays; ends the program.
    open func play() { missing("AVAudioPlayerNode.play") }
    /// Stops: without effect, as nothing plays.
    open func stop() {}
    /// Pauses: without effect, as nothing plays.
    open func pause() {}
    /// Plays a buffer in its turn; ends the program.
    open func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        missing("AVAudioPlayerNode.scheduleBuffer")
    }
    /// Plays a file in its turn; ends the program.
    open func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        missing("AVAudioPlayerNode.scheduleFile")
    }
}
