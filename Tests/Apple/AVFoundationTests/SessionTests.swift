import AVFoundation
import Pipeline
import Synchronization
import Testing

@Suite("A session's states")
struct SessionStateTests {
    @Test("stopped: runs and stops; an empty session runs too")
    func emptySessionRuns() {
        inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            #expect(!session.isRunning)
            session.stopRunning()
            session.startRunning()
            #expect(session.isRunning)
            session.startRunning()
            session.stopRunning()
            #expect(!session.isRunning)
        }
    }

    @Test("configuring: refuses to start and to stop, at any depth; allows both after the outermost commit")
    func configuring() {
        inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            session.beginConfiguration()
            session.beginConfiguration()
            session.commitConfiguration()
            let raised = CaptureEnvironment.violations {
                session.startRunning()
                session.stopRunning()
            }
            #expect(raised.map(\.name) == [.generic, .generic])
            #expect(raised[0].reason.hasPrefix("*** -[AVCaptureSession startRunning] "))
            #expect(!session.isRunning)
            session.commitConfiguration()
            session.startRunning()
            #expect(session.isRunning)
            session.stopRunning()
        }
    }

    @Test("a commit without a begin does nothing, which is said: apps on sale have one")
    func unbalancedCommit() {
        let said = Mutex(0)
        var environment = phoneEnvironment()
        environment.onDiagnostic = { _ in said.withLock { $0 += 1 } }
        inEnvironment(environment) {
            let session = AVCaptureSession()
            #expect(CaptureEnvironment.violations { session.commitConfiguration() }.isEmpty && said.withLock { $0 } == 1)
            session.beginConfiguration()
            #expect(CaptureEnvironment.violations { session.startRunning() }.map(\.name) == [.generic])
        }
    }

    @Test("running is told to observers, once per change and not after they let go")
    func observing() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 2))) {
            let app = try CameraApp()
            let changes = Mutex<[Bool?]>([])
            var observation: NSKeyValueObservation? = app.session.observe(\.isRunning, options: [.initial, .new]) { _, change in
                changes.withLock { $0.append(change.newValue) }
            }
            try app.run()
            #expect(changes.withLock { $0 } == [false, true, false])
            withExtendedLifetime(observation) {}
            observation = nil
            app.session.startRunning()
            app.session.stopRunning()
            #expect(changes.withLock { $0.count } == 3)
        }
    }

    @Test("an uncaught breach ends the program and names Apple's exception")
    func trap() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let session = AVCaptureSession()
            session.beginConfiguration()
            session.startRunning()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("uncaught exception 'NSGenericException', reason: '*** -[AVCaptureSession startRunning]"))
    }

    @Test("an environment's own handler hears of breaches on any thread")
    func environmentHandler() {
        let raised = Mutex<[CaptureEnvironment.Violation]>([])
        var environment = phoneEnvironment()
        environment.onViolation = { violation in raised.withLock { $0.append(violation) } }
        let session = inEnvironment(environment) { AVCaptureSession() }
        session.beginConfiguration()
        DispatchQueue.global().sync { session.startRunning() }
        #expect(raised.withLock { $0.map(\.name) } == [.generic])
    }
}

@Suite("Inputs, outputs and connections")
struct GraphTests {
    private func camera(_ type: AVCaptureDevice.DeviceType, _ position: AVCaptureDevice.Position) throws -> AVCaptureDeviceInput {
        try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(type, for: .video, position: position)))
    }

    @Test("whatever order they come in, compatible ends are connected", arguments: [true, false])
    func connectionsForm(inputFirst: Bool) throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let input = try camera(.builtInDualWideCamera, .back)
            let (video, second, metadata) = (AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput(), AVCaptureMetadataOutput())
            if inputFirst { session.addInput(input) }
            let layer = AVCaptureVideoPreviewLayer(session: session)
            [video, second, metadata].forEach(session.addOutput)
            if !inputFirst {
                #expect(session.connections.isEmpty)
                #expect(metadata.availableMetadataObjectTypes.isEmpty)
                session.addInput(input)
            }
            #expect(session.connections.count == 4)
            #expect(video.connection(with: .video)?.inputPorts.map(\.mediaType) == [.video])
            #expect(video.connection(with: .audio) == nil)
            #expect(metadata.connection(with: .metadataObject) != nil)
            #expect(layer.connection?.videoPreviewLayer === layer)
            #expect(session.connections.allSatisfy { $0.isActive })
            let required = metadata.requiredMetadataObjectTypesForCinematicVideoCapture
            #expect(Array(metadata.availableMetadataObjectTypes.prefix(required.count)) == required)
            #expect(Set(metadata.availableMetadataObjectTypes).isSuperset(of: [.qr, .ean13, .code128, .pdf417, .aztec, .dataMatrix]))

            let connection = try #require(video.connection(with: .video))
            session.removeInput(input)
            #expect(session.connections.isEmpty && !connection.isActive && layer.connection == nil)
        }
    }

    @Test("a preview layer that nobody holds takes its connection with it")
    func layerGoes() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            session.addInput(try camera(.builtInDualWideCamera, .back))
            var layer: AVCaptureVideoPreviewLayer? = AVCaptureVideoPreviewLayer(session: session)
            #expect(layer?.connection != nil && session.connections.count == 1)
            layer = nil
            #expect(session.connections.isEmpty)
        }
    }

    @Test("manual connections: none by themselves, each once")
    func manualConnections() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let input = try camera(.builtInDualWideCamera, .back)
            let output = AVCaptureVideoDataOutput()
            session.addInputWithNoConnections(input)
            session.addOutputWithNoConnections(output)
            #expect(session.connections.isEmpty)
            let wrong = AVCaptureConnection(inputPorts: [input.ports[1]], output: output)
            #expect(!session.canAddConnection(wrong))
            #expect(CaptureEnvironment.violations { session.addConnection(wrong) }.map(\.name) == [.invalidArgument])
            let right = AVCaptureConnection(inputPorts: [input.ports[0]], output: output)
            session.addConnection(right)
            #expect(output.connections == [right] && right.isActive)
            #expect(!session.canAddConnection(right))
            session.removeConnection(right)
            #expect(output.connections.isEmpty && !right.isActive)
        }
    }

    @Test("refuses what Apple refuses, in Apple's words")
    func refusals() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let input = try camera(.builtInDualWideCamera, .back)
            let front = try camera(.builtInTrueDepthCamera, .front)
            let metadata = AVCaptureMetadataOutput()
            session.addInput(input)
            session.addOutput(metadata)
            #expect(!session.canAddInput(input) && !session.canAddInput(front))
            #expect(!session.canAddOutput(metadata) && !session.canAddOutput(AVCaptureMetadataOutput()))
            #expect(!AVCaptureSession().canAddOutput(metadata))
            let raised = CaptureEnvironment.violations {
                session.addInput(input)
                session.addInput(front)
                session.addOutput(AVCaptureMetadataOutput())
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument, .invalidArgument])
            #expect(raised[0].reason.contains("-[AVCaptureSession addInput:] An AVCaptureInput instance may not be added more than once"))
            #expect(raised[1].reason.contains("Multiple audio/video AVCaptureInputs are not currently supported"))
            #expect(raised[2].reason.contains("more than one output of the same type is unsupported"))
            session.removeOutput(AVCaptureVideoDataOutput())
            session.removeInput(front)
            #expect(session.inputs.count == 1 && session.outputs.count == 1)
        }
    }

    @Test("discovery sorts by type, then position, and gives the same object each time")
    func discovery() throws {
        inEnvironment(phoneEnvironment()) {
            let found = AVCaptureDevice.DiscoverySession(
                deviceTypes: [.builtInTrueDepthCamera, .builtInDualWideCamera], mediaType: .video, position: .unspecified)
            #expect(found.devices.map(\.deviceType) == [.builtInTrueDepthCamera, .builtInDualWideCamera])
            #expect(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back) === found.devices[1])
            #expect(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .front) == nil)
            #expect(AVCaptureDevice.default(for: .video)?.deviceType == .builtInWideAngleCamera)
            #expect(AVCaptureDevice.default(for: .audio)?.deviceType == .microphone)
        }
        #expect(AVCaptureDevice.default(for: .video) == nil, "no camera without an environment")
    }
}

@Suite("Devices and formats")
struct DeviceTests {
    @Test("setters want the lock, the right format, and values in range")
    func setters() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            let other = try #require(AVCaptureDevice.default(.builtInTrueDepthCamera, for: .video, position: .front))
            let unlocked = CaptureEnvironment.violations {
                device.activeFormat = device.formats[1]
                device.videoZoomFactor = 2
                device.focusMode = .locked
                device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 24)
                device.unlockForConfiguration()
            }
            #expect(unlocked.allSatisfy { $0.name == .generic } && unlocked.count == 5)
            #expect(unlocked[0].reason.hasSuffix("exclusive ownership of the device using -lockForConfiguration:"))
            try device.lockForConfiguration()
            let wrong = CaptureEnvironment.violations {
                device.activeFormat = other.formats[0]
                device.videoZoomFactor = 17
                device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 60)
            }
            #expect(wrong.map(\.name) == [.invalidArgument, .range, .invalidArgument])
            device.videoZoomFactor = 3
            device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 25)
            device.focusMode = .autoFocus
            #expect(device.videoZoomFactor == 3 && device.activeVideoMinFrameDuration == CMTime(value: 1, timescale: 25))
            #expect(device.focusMode == .locked)
            device.activeFormat = device.formats[1]
            #expect(device.videoZoomFactor == 1 && device.activeVideoMinFrameDuration == CMTime(value: 1, timescale: 30))
            device.unlockForConfiguration()
        }
    }

    @Test("a preset chooses the format at the commit, an active format makes the preset step back")
    func presets() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.beginConfiguration()
            session.sessionPreset = .hd4K3840x2160
            #expect(device.activeFormat.formatDescription.dimensions.width == 1920)
            session.commitConfiguration()
            #expect(device.activeFormat.formatDescription.dimensions.width == 3840)
            try device.lockForConfiguration()
            device.activeFormat = device.formats[0]
            device.unlockForConfiguration()
            #expect(session.sessionPreset == .inputPriority)
            #expect(!session.canSetSessionPreset(.cif352x288))
            #expect(CaptureEnvironment.violations { session.sessionPreset = .cif352x288 }.map(\.name) == [.invalidArgument])
            session.sessionPreset = .high
            #expect(device.activeFormat === device.formats[0])
        }
    }

    @Test("what Apple's cinematic sample looks for is there on both cameras: a 10-bit cinematic twin of the preset's format")
    func tenBitTwin() throws {
        try inEnvironment(phoneEnvironment()) {
            for type in [AVCaptureDevice.DeviceType.builtInDualWideCamera, .builtInTrueDepthCamera] {
                let device = try #require(AVCaptureDevice.default(type, for: .video, position: .unspecified))
                let active = device.activeFormat
                let twin = device.formats.first {
                    $0.isCinematicVideoCaptureSupported && $0.formatDescription.dimensions.width == active.formatDescription.dimensions.width
                        && $0.formatDescription.mediaSubType.rawValue == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
                        && $0.videoSupportedFrameRateRanges.last?.maxFrameRate == active.videoSupportedFrameRateRanges.last?.maxFrameRate
                }
                #expect(twin != nil)
            }
        }
    }

    @Test("a footage camera has one cinematic format of the source's size and exact rate")
    func footage() throws {
        var description = CountingSource(count: 1).description
        description.frameDuration = CMTime(value: 1001, timescale: 30000)
        try inEnvironment(fakeEnvironment(cameras: [.footage(description, name: "clip")])) {
            let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            let format = try #require(device.formats.first)
            #expect(device.formats.count == 1 && format.isCinematicVideoCaptureSupported)
            #expect(format.formatDescription.dimensions.height == 36)
            #expect(format.videoSupportedFrameRateRanges[0].minFrameDuration == CMTime(value: 1001, timescale: 30000))
        }
    }
}
