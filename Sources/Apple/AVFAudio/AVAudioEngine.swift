import AVFCapture
import CoreMedia

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

/// Ends the program: there is no engine behind the names in this file, which make model code compile that is not run here.
private func missing(_ name: String) -> Never {
    fatalError("\(name): there is no audio engine here; take sound from AVCaptureAudioDataOutput, or keep this code out of the test")
}

/// Graph of nodes that sound goes through. To make one is all that works: every other call ends the program and names itself.
open class AVAudioEngine: NSObject {
    /// Makes an engine without nodes.
    public override init() {}

    /// Source of the microphone's sound; ends the program.
    open var inputNode: AVAudioInputNode { missing("AVAudioEngine.inputNode") }
    /// Sink of the loudspeaker; ends the program.
    open var outputNode: AVAudioOutputNode { missing("AVAudioEngine.outputNode") }
    /// Mixer ahead of the output; ends the program.
    open var mainMixerNode: AVAudioMixerNode { missing("AVAudioEngine.mainMixerNode") }
    /// Whether the engine runs: false.
    open var isRunning: Bool { false }

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
    /// Takes what it needs to start; ends the program.
    open func prepare() { missing("AVAudioEngine.prepare") }
    /// Starts; ends the program.
    open func start() throws { missing("AVAudioEngine.start") }
    /// Pauses: without effect, as nothing runs.
    open func pause() {}
    /// Stops: without effect, as nothing runs.
    open func stop() {}
    /// Drops what is under way: without effect, as nothing runs.
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

/// The microphone.
open class AVAudioInputNode: AVAudioIONode {}

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
