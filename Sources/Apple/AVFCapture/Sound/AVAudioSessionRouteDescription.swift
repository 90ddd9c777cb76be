import Foundation

/// Devices that sound comes from and goes to.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
    /// Devices that sound comes from.
    public let inputs: [AVAudioSessionPortDescription]
    /// Devices that sound goes to.
    public let outputs: [AVAudioSessionPortDescription]

    init(inputs: [AVAudioSessionPortDescription], outputs: [AVAudioSessionPortDescription]) {
        self.inputs = inputs
        self.outputs = outputs
    }
}

/// Device that sound comes from or goes to.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
    /// Kind of the device.
    public let portType: AVAudioSession.Port
    /// Name for people.
    public let portName: String
    /// Identifier, that of the capture device for a microphone.
    public let uid: String

    /// Microphones of the device to choose from: nil, as it has one.
    public let dataSources: [AVAudioSessionDataSourceDescription]? = nil
    /// Microphone that is heard: nil, as there is no choice.
    public let selectedDataSource: AVAudioSessionDataSourceDescription? = nil
    /// Microphone that the app prefers: nil, as there is no choice.
    public let preferredDataSource: AVAudioSessionDataSourceDescription? = nil

    /// Chooses a microphone; without effect, as none can be had.
    public func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {}

    init(_ type: AVAudioSession.Port, name: String, uid: String) {
        portType = type
        portName = name
        self.uid = uid
    }

    convenience init(_ microphone: CameraProfile) { self.init(.builtInMic, name: microphone.name, uid: microphone.uniqueID) }

    static let speaker = AVAudioSessionPortDescription(.builtInSpeaker, name: "Speaker", uid: "Speaker")
    static let receiver = AVAudioSessionPortDescription(.builtInReceiver, name: "Receiver", uid: "Built-In Receiver")
}
