import AVFoundation
import Foundation
import Synchronization
import Testing

@Suite("Permission")
struct AuthorizationTests {
    @Test(
        "in each state: what is answered, whether an input opens, and that a decided question is not asked again",
        arguments: [AVAuthorizationStatus.notDetermined, .restricted, .denied, .authorized], [AVMediaType.video, .audio])
    func states(status: AVAuthorizationStatus, mediaType: AVMediaType) async throws {
        let environment = phoneEnvironment()
        environment.conditions.setAuthorization(status, for: mediaType)
        environment.conditions.setAnswer(false, for: mediaType)
        try await CaptureEnvironment.$scoped.withValue(environment) {
            #expect(AVCaptureDevice.authorizationStatus(for: mediaType) == status)
            #expect(await AVCaptureDevice.requestAccess(for: mediaType) == (status == .authorized))
            #expect(AVCaptureDevice.authorizationStatus(for: mediaType) == (status == .notDetermined ? .denied : status))
            let device = try #require(AVCaptureDevice.default(for: mediaType))
            if status == .authorized {
                #expect(throws: Never.self) { try AVCaptureDeviceInput(device: device) }
            } else {
                let error = #expect(throws: AVError.self) { try AVCaptureDeviceInput(device: device) }
                #expect(error?.code == .applicationIsNotAuthorizedToUseDevice)
            }
        }
    }

    @Test("an open prompt keeps every caller waiting; one answer serves them all")
    func openPrompt() async {
        let environment = phoneEnvironment()
        environment.conditions.setAuthorization(.notDetermined, for: .video)
        environment.conditions.setAnswer(nil, for: .video)
        await CaptureEnvironment.$scoped.withValue(environment) {
            let answers = AsyncStream<Bool>.makeStream()
            AVCaptureDevice.requestAccess(for: .video) { answers.continuation.yield($0) }
            AVCaptureDevice.requestAccess(for: .video) { answers.continuation.yield($0) }
            #expect(environment.conditions.openPrompts == 2)
            #expect(AVCaptureDevice.authorizationStatus(for: .video) == .notDetermined)
            environment.conditions.answerPrompt(for: .video, isGranted: true)
            var iterator = answers.stream.makeAsyncIterator()
            #expect(await iterator.next() == true)
            #expect(await iterator.next() == true)
            #expect(AVCaptureDevice.authorizationStatus(for: .video) == .authorized)
            #expect(environment.conditions.openPrompts == 0)
        }
    }

    @Test("opening an input asks; another media type raises")
    func inputAsks() throws {
        let environment = phoneEnvironment()
        environment.conditions.setAuthorization(.notDetermined, for: .video)
        try inEnvironment(environment) {
            _ = try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video)))
            #expect(AVCaptureDevice.authorizationStatus(for: .video) == .authorized)
            let raised = CaptureEnvironment.violations { _ = AVCaptureDevice.authorizationStatus(for: .metadata) }
            #expect(raised.map(\.name) == [.invalidArgument])
        }
    }
}

@Suite("Devices that come and go")
struct HotPlugTests {
    private let camera = {
        var camera = CameraProfile.externalCamera[0]
        camera.uniqueID = "camera.\(UUID())"
        return camera
    }()

    @Test("plugged in: found, told and preferred by the system; pulled out: gone for good; back in: another object")
    func plugs() throws {
        let environment = phoneEnvironment()
        try inEnvironment(environment) {
            let told = Mutex<[String]>([])
            let mine = camera.uniqueID
            let tokens = [Notification.Name.AVCaptureDeviceWasConnected, .AVCaptureDeviceWasDisconnected].map { name in
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
                    guard (note.object as? AVCaptureDevice)?.uniqueID == mine else { return }
                    told.withLock { $0.append(name == .AVCaptureDeviceWasConnected ? "in" : "out") }
                }
            }
            defer { tokens.forEach { NotificationCenter.default.removeObserver($0) } }
            let search = AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video, position: .unspecified)
            let counts = Mutex<[Int]>([])
            let token = search.observe(\.devices, options: [.initial, .new]) { _, change in counts.withLock { $0.append(change.newValue!.count) } }
            let built = try #require(AVCaptureDevice.systemPreferredCamera)
            #expect(built.deviceType == .builtInWideAngleCamera)

            environment.conditions.connect(camera)
            let first = try #require(search.devices.first)
            #expect(AVCaptureDevice.systemPreferredCamera === first)
            #expect(first.isConnected && !first.hasTorch && first.position == .unspecified)

            environment.conditions.disconnect(mine)
            #expect(!first.isConnected && search.devices.isEmpty)
            #expect(AVCaptureDevice(uniqueID: mine) == nil)
            #expect(throws: AVError.self) { try first.lockForConfiguration() }
            #expect(throws: AVError.self) { try AVCaptureDeviceInput(device: first) }

            environment.conditions.connect(camera)
            let second = try #require(AVCaptureDevice(uniqueID: mine))
            #expect(second !== first && second.isConnected && !first.isConnected)
            #expect(told.withLock { $0 } == ["in", "out", "in"])
            #expect(counts.withLock { $0 } == [0, 1, 0, 1])
            withExtendedLifetime(token) {}
        }
    }

    @Test("the user's choice reads back at once, outranks the system's, survives absence; nil changes nothing")
    func preferences() throws {
        let environment = phoneEnvironment()
        try inEnvironment(environment) {
            environment.conditions.connect(camera)
            let external = try #require(AVCaptureDevice(uniqueID: camera.uniqueID))
            let dual = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            AVCaptureDevice.userPreferredCamera = dual
            #expect(AVCaptureDevice.userPreferredCamera === dual && AVCaptureDevice.systemPreferredCamera === dual)
            AVCaptureDevice.userPreferredCamera = external
            #expect(AVCaptureDevice.userPreferredCamera === external)
            environment.conditions.disconnect(camera.uniqueID)
            #expect(AVCaptureDevice.userPreferredCamera === dual)
            AVCaptureDevice.userPreferredCamera = nil
            #expect(AVCaptureDevice.userPreferredCamera === dual)
        }
    }

    @Test("a microphone is found as audio, hears in the modes it has, and stands beside a camera in a session")
    func microphone() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let microphone = try #require(AVCaptureDevice.default(for: .audio))
            #expect(microphone.deviceType == .microphone && microphone.hasMediaType(.audio) && !microphone.hasMediaType(.video))
            let input = try AVCaptureDeviceInput(device: microphone)
            #expect(input.ports.map(\.mediaType) == [.audio])
            session.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video))))
            #expect(session.canAddInput(input))
            session.addInput(input)
            #expect(input.isMultichannelAudioModeSupported(.firstOrderAmbisonics))
            input.multichannelAudioMode = .firstOrderAmbisonics
            #expect(input.multichannelAudioMode == .firstOrderAmbisonics)
            let second = try AVCaptureDeviceInput(device: microphone)
            #expect(CaptureEnvironment.violations { session.addInput(second) }.map(\.name) == [.invalidArgument])
            let camera = session.inputs[0] as! AVCaptureDeviceInput
            #expect(CaptureEnvironment.violations { camera.multichannelAudioMode = .stereo }.map(\.name) == [.invalidArgument])
        }
    }

    @Test("older apps find every device, and those of a media type, without a search")
    func olderWays() throws {
        try inEnvironment(phoneEnvironment()) {
            let cameras = AVCaptureDevice.devices(for: .video)
            #expect(cameras.allSatisfy { $0.hasMediaType(.video) } && cameras.contains { $0.position == .front })
            #expect(AVCaptureDevice.devices().filter { $0.hasMediaType(.audio) } == AVCaptureDevice.devices(for: .audio))
            let camera = try #require(cameras.first { $0.deviceType == .builtInWideAngleCamera && $0.position == .back })
            #expect(AVCaptureDevice.default(for: .video) === camera && AVCaptureDevice.DeviceType.externalUnknown == .external)
        }
    }

    @Test("apps that want depth find the cameras that have it by that media type")
    func depth() throws {
        try inEnvironment(phoneEnvironment()) {
            let all = AVCaptureDevice.devices(for: .video)
            let cameras = all.filter { camera in camera.formats.contains { !$0.supportedDepthDataFormats.isEmpty } }
            #expect(!cameras.isEmpty && cameras.count < all.count && AVCaptureDevice.devices(for: .depthData) == cameras)
            let front = try #require(AVCaptureDevice.default(.builtInTrueDepthCamera, for: .depthData, position: .front))
            #expect(front.activeDepthDataFormat?.mediaType == .depthData)
            #expect(AVCaptureDevice.default(.builtInUltraWideCamera, for: .depthData, position: .back) == nil)
            let search = AVCaptureDevice.DiscoverySession(deviceTypes: [.builtInTrueDepthCamera], mediaType: .depthData, position: .unspecified)
            #expect(search.devices == [front] && AVCaptureDevice.default(for: .depthData) != nil)
        }
    }

    @Test("a virtual camera names its parts and where they change over")
    func constituents() throws {
        try inEnvironment(phoneEnvironment()) {
            let dual = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            #expect(dual.isVirtualDevice && dual.virtualDeviceSwitchOverVideoZoomFactors == [2])
            #expect(dual.constituentDevices.map(\.deviceType) == [.builtInUltraWideCamera, .builtInWideAngleCamera])
        }
    }
}

@Suite("Observing and waiting")
struct ObservingTests {
    @Test("prior comes before with the old value alone, then the change; a token that is gone tells nothing")
    func prior() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            try device.lockForConfiguration()
            let seen = Mutex<[String]>([])
            var token: NSKeyValueObservation? = device.observe(\.videoZoomFactor, options: [.initial, .old, .new, .prior]) { _, change in
                seen.withLock { $0.append("\(change.isPrior) \(change.oldValue.map { "\($0)" } ?? "-") \(change.newValue.map { "\($0)" } ?? "-")") }
            }
            device.videoZoomFactor = 2
            device.videoZoomFactor = 2
            #expect(seen.withLock { $0 } == ["false - 1.0", "true 1.0 -", "false 1.0 2.0"])
            withExtendedLifetime(token) {}
            token = nil
            device.videoZoomFactor = 3
            #expect(seen.withLock { $0.count } == 3)
        }
    }

    @Test("the phone's turns reach a rotation coordinator, its observers on the main queue")
    func rotation() async throws {
        let environment = phoneEnvironment()
        let coordinator = try inEnvironment(environment) {
            AVCaptureDevice.RotationCoordinator(device: try #require(AVCaptureDevice.default(for: .video)), previewLayer: nil)
        }
        #expect(coordinator.videoRotationAngleForHorizonLevelCapture == 0)
        let turns = AsyncStream<CGFloat?>.makeStream()
        let token = coordinator.observe(\.videoRotationAngleForHorizonLevelCapture, options: .new) { _, change in
            dispatchPrecondition(condition: .onQueue(.main))
            turns.continuation.yield(change.newValue)
        }
        environment.conditions.setHorizonAngle(90)
        var iterator = turns.stream.makeAsyncIterator()
        let turn = try #require(await iterator.next())
        #expect(turn == 90)
        #expect(coordinator.videoRotationAngleForHorizonLevelCapture == 90)
        #expect(coordinator.videoRotationAngleForHorizonLevelPreview == 0)
        withExtendedLifetime(token) {}
    }

    @Test("stabilization is off, preferred, or nothing where the format has none; old orientations are angles")
    func connection() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            session.addInput(try AVCaptureDeviceInput(device: device))
            let output = AVCaptureVideoDataOutput()
            session.addOutput(output)
            let connection = try #require(output.connection(with: .video))
            #expect(connection.activeVideoStabilizationMode == .off)
            connection.preferredVideoStabilizationMode = .cinematicExtendedEnhanced
            #expect(connection.activeVideoStabilizationMode == .cinematicExtendedEnhanced)
            connection.preferredVideoStabilizationMode = .auto
            #expect(connection.activeVideoStabilizationMode == .standard)
            session.sessionPreset = .photo
            #expect(connection.activeVideoStabilizationMode == .off)
            connection.videoOrientation = .portrait
            #expect(connection.videoRotationAngle == 90)
        }
    }
}
