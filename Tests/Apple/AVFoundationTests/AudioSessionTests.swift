import AVFoundation
import Synchronization
import Testing

@Suite("The audio session")
struct AudioSessionTests {
    /// User info of a notification; handed over, not shared.
    private struct Info: @unchecked Sendable {
        let content: [AnyHashable: Any]
    }

    @Test("keeps category, mode and options, and refuses options that the category lacks")
    func category() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVAudioSession.sharedInstance()
            #expect(session.category == .soloAmbient && session.mode == .default && session.currentRoute.inputs.isEmpty)
            try session.setCategory(.playAndRecord, mode: .videoRecording, options: [.mixWithOthers, .allowBluetooth])
            try session.setActive(true)
            #expect(AVAudioSession.sharedInstance().category == .playAndRecord && session.mode == .videoRecording)
            let error = #expect(throws: NSError.self) { try session.setCategory(.playback, options: .defaultToSpeaker) }
            #expect(error?.code == -50 && session.category == .playAndRecord)
        }
    }

    @Test("has the phone's microphones, and says so when the route changes")
    func route() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVAudioSession.sharedInstance()
            #expect(session.availableInputs == nil && session.isInputAvailable)
            let reasons = Mutex<[UInt?]>([])
            let token = NotificationCenter.default.addObserver(
                forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
            ) { note in
                reasons.withLock { $0.append(note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt) }
            }
            try session.setCategory(.playAndRecord)
            let input = try #require(session.availableInputs?.first)
            #expect(input.portType == .builtInMic && input.uid == AVCaptureDevice.default(for: .audio)?.uniqueID)
            #expect(session.currentRoute.outputs.map(\.portType) == [.builtInReceiver] && session.outputNumberOfChannels == 1)
            try session.overrideOutputAudioPort(.speaker)
            try session.setPreferredInput(input)
            #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker] && session.currentRoute.inputs.map(\.uid) == [input.uid])
            #expect(reasons.withLock { $0 } == [3, 4, 4])
            NotificationCenter.default.removeObserver(token)
        }
    }

    @Test("keeps wishes for channels, has no gain to set, and is observed as other objects are")
    func wishes() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVAudioSession.sharedInstance()
            try session.setCategory(.playAndRecord, options: [.allowBluetoothHFP])
            #expect(session.categoryOptions == .allowBluetooth)
            try session.setPreferredInputNumberOfChannels(2)
            try session.setPreferredOutputNumberOfChannels(2)
            #expect(session.preferredInputNumberOfChannels == 2 && session.inputNumberOfChannels == 1)
            #expect(session.preferredOutputNumberOfChannels == 2 && session.maximumInputNumberOfChannels == 1)
            #expect(!session.isInputGainSettable && session.inputGain == 1)
            #expect(throws: NSError.self) { try session.setInputGain(0.5) }
            let volumes = Mutex<[Float?]>([])
            let observation = session.observe(\.outputVolume, options: [.initial, .new]) { _, change in
                volumes.withLock { $0.append(change.newValue) }
            }
            observation.invalidate()
            #expect(volumes.withLock { $0 } == [1])
        }
    }

    @Test("is interrupted by a call, and advised to resume")
    func interruption() throws {
        let environment = phoneEnvironment()
        inEnvironment(environment) {
            let session = AVAudioSession.sharedInstance()
            let notes = Mutex<[Info]>([])
            let token = NotificationCenter.default.addObserver(
                forName: AVAudioSession.interruptionNotification, object: session, queue: nil
            ) { note in
                let info = Info(content: note.userInfo ?? [:])
                notes.withLock { $0.append(info) }
            }
            environment.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            environment.conditions.endInterruption()
            #expect(notes.withLock { $0.isEmpty })
            environment.conditions.interrupt(.audioDeviceInUseByAnotherClient)
            environment.conditions.endInterruption()
            let types = notes.withLock { $0.map { $0.content[AVAudioSessionInterruptionTypeKey] as? UInt } }
            #expect(types == [AVAudioSession.InterruptionType.began.rawValue, AVAudioSession.InterruptionType.ended.rawValue])
            #expect(notes.withLock { $0.last?.content[AVAudioSessionInterruptionOptionKey] as? UInt } == 1)
            NotificationCenter.default.removeObserver(token)
        }
    }

    @Test("asks for the permission of the microphone", arguments: [true, false])
    func permission(isGranted: Bool) async {
        let environment = phoneEnvironment()
        environment.conditions.setAuthorization(.notDetermined, for: .audio)
        environment.conditions.setAnswer(isGranted, for: .audio)
        await CaptureEnvironment.$scoped.withValue(environment) {
            #expect(AVAudioApplication.shared.recordPermission == .undetermined)
            #expect(await AVAudioApplication.requestRecordPermission() == isGranted)
            #expect(AVAudioSession.sharedInstance().recordPermission == (isGranted ? .granted : .denied))
            #expect(AVCaptureDevice.authorizationStatus(for: .audio) == (isGranted ? .authorized : .denied))
        }
    }
}
