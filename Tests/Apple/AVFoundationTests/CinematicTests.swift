import AVFoundation
import Synchronization
import Testing

@Suite("Cinematic capture")
struct CinematicTests {
    private struct Rig {
        let session = AVCaptureSession()
        let device: AVCaptureDevice
        let input: AVCaptureDeviceInput

        init(_ type: AVCaptureDevice.DeviceType = .builtInDualWideCamera) throws {
            device = try #require(AVCaptureDevice.default(type, for: .video, position: .unspecified))
            input = try AVCaptureDeviceInput(device: device)
        }

        func locked(_ body: () throws -> Void) throws {
            try device.lockForConfiguration()
            defer { device.unlockForConfiguration() }
            try body()
        }
    }

    /// A phone whose back camera has a plain 1080p format beside a cinematic one.
    private var mixedCamera: CaptureEnvironment {
        var profile = CameraProfile.dualWide
        profile.formats[0].cinematic = nil
        profile.formats[1].cinematic = CameraProfile.Cinematic(aperture: 2...16, defaultAperture: 2.8, zoom: 2...2, frameRates: 24...30)
        var environment = phoneEnvironment()
        environment.cameras = [profile]
        return environment
    }

    @Test("asked of commits alone, support is read from the committed configuration of the session the input is in")
    func supportFollowsCommits() throws {
        var environment = mixedCamera
        environment.asksCommitsAlone = true
        try inEnvironment(environment) {
            let rig = try Rig()
            #expect(!rig.input.isCinematicVideoCaptureSupported)
            rig.session.addInput(rig.input)
            #expect(!rig.input.isCinematicVideoCaptureSupported)
            let changes = Mutex<[Bool?]>([])
            let observation = rig.input.observe(\.isCinematicVideoCaptureSupported, options: .new) { _, change in
                changes.withLock { $0.append(change.newValue) }
            }
            rig.session.beginConfiguration()
            rig.session.beginConfiguration()
            try rig.locked { rig.device.activeFormat = rig.device.formats[1] }
            #expect(!rig.input.isCinematicVideoCaptureSupported)
            rig.session.commitConfiguration()
            #expect(!rig.input.isCinematicVideoCaptureSupported)
            rig.session.commitConfiguration()
            #expect(rig.input.isCinematicVideoCaptureSupported)
            rig.input.isCinematicVideoCaptureEnabled = true
            try rig.locked { rig.device.activeFormat = rig.device.formats[0] }
            #expect(!rig.input.isCinematicVideoCaptureSupported && !rig.input.isCinematicVideoCaptureEnabled)
            try rig.locked { rig.device.activeFormat = rig.device.formats[1] }
            #expect(rig.input.isCinematicVideoCaptureSupported && !rig.input.isCinematicVideoCaptureEnabled)
            #expect(changes.withLock { $0 } == [true, false, true])
            observation.invalidate()
        }
    }

    @Test("an app sets a camera up in one batch: it answers for the batch until the session first runs")
    func oneBatch() throws {
        try inEnvironment(mixedCamera) {
            let rig = try Rig()
            let isAnnounced = Mutex<[Bool?]>([])
            let observation = rig.input.observe(\.isCinematicVideoCaptureSupported, options: .new) { _, change in
                isAnnounced.withLock { $0.append(change.newValue) }
            }
            rig.session.beginConfiguration()
            rig.session.addInput(rig.input)
            #expect(!rig.input.isCinematicVideoCaptureSupported)
            try rig.locked { rig.device.activeFormat = rig.device.formats[1] }
            #expect(rig.input.isCinematicVideoCaptureSupported)
            rig.input.isCinematicVideoCaptureEnabled = true
            rig.input.simulatedAperture = 4
            rig.session.commitConfiguration()
            #expect(rig.input.isCinematicVideoCaptureSupported && rig.input.isCinematicVideoCaptureEnabled && rig.input.simulatedAperture == 4)
            #expect(isAnnounced.withLock { $0 } == [true], "observers are notified at the commit")
            #expect(rig.device.focusMode == .continuousAutoFocus && rig.device.videoZoomFactor == 2)
            observation.invalidate()
        }
    }

    @Test("in a batch the format answers that a due preset will choose, and enabling it has its effects at the commit")
    func oneBatchWithPreset() throws {
        try inEnvironment(phoneEnvironment()) {
            let rig = try Rig()
            rig.session.beginConfiguration()
            try rig.locked { rig.device.activeFormat = try #require(rig.device.formats.first { !$0.isCinematicVideoCaptureSupported }) }
            rig.session.addInput(rig.input)
            #expect(rig.input.isCinematicVideoCaptureSupported, "the preset .high takes the first format")
            rig.input.isCinematicVideoCaptureEnabled = true
            rig.session.commitConfiguration()
            #expect(rig.input.isCinematicVideoCaptureEnabled && rig.device.videoZoomFactor == 2)
            #expect(rig.device.activeVideoMinFrameDuration >= CMTime(value: 1, timescale: 30))
        }
    }

    @Test("once a session has run, the committed configuration answers within a batch")
    func batchOfARunningSession() throws {
        let environment = fakeEnvironment(source: CountingSource(count: 2))
        try inEnvironment(environment) {
            let session = AVCaptureSession()
            let device = try #require(AVCaptureDevice.default(for: .video))
            let input = try AVCaptureDeviceInput(device: device)
            session.addInput(input)
            session.startRunning()
            session.beginConfiguration()
            session.removeInput(input)
            let next = try AVCaptureDeviceInput(device: device)
            session.addInput(next)
            #expect(!next.isCinematicVideoCaptureSupported)
            session.commitConfiguration()
            #expect(next.isCinematicVideoCaptureSupported)
            session.stopRunning()
        }
    }

    @Test("enabling where it is not supported raises in Apple's words; disabling never does")
    func enabling() throws {
        try inEnvironment(phoneEnvironment()) {
            let rig = try Rig(.builtInWideAngleCamera)
            rig.session.addInput(rig.input)
            let raised = CaptureEnvironment.violations {
                rig.input.isCinematicVideoCaptureEnabled = true
                rig.input.isCinematicVideoCaptureEnabled = false
            }
            #expect(raised.map(\.name) == [.invalidArgument])
            #expect(
                raised[0].reason
                    == "*** -[AVCaptureDeviceInput setCinematicVideoCaptureEnabled:] Not supported - use isCinematicVideoCaptureSupported")
            let format = rig.device.activeFormat
            #expect(format.videoFrameRateRangeForCinematicVideo == nil && format.videoMaxZoomFactorForCinematicVideo == 1)
        }
    }

    @Test("nothing is supported without a lens to render it")
    func needsRenderer() throws {
        try inEnvironment(phoneEnvironment(renderer: nil)) {
            let rig = try Rig()
            rig.session.addInput(rig.input)
            #expect(!rig.input.isCinematicVideoCaptureSupported)
            #expect(rig.device.formats.allSatisfy { !$0.isCinematicVideoCaptureSupported && $0.minSimulatedAperture == 0 })
        }
    }

    @Test("enabled: focus mode is taken over, zoom is pinned; disabled: both are free again")
    func sideEffects() throws {
        try inEnvironment(phoneEnvironment()) {
            let rig = try Rig()
            rig.session.addInput(rig.input)
            try rig.locked { rig.device.focusMode = .locked }
            rig.input.isCinematicVideoCaptureEnabled = true
            #expect(rig.device.focusMode == .continuousAutoFocus && rig.device.videoZoomFactor == 2)
            #expect(rig.device.minAvailableVideoZoomFactor == 2 && rig.device.maxAvailableVideoZoomFactor == 2)
            try rig.locked {
                let raised = CaptureEnvironment.violations {
                    rig.device.focusMode = .locked
                    rig.device.videoZoomFactor = 1
                }
                #expect(raised.map(\.name) == [.invalidArgument, .range])
            }
            rig.input.isCinematicVideoCaptureEnabled = false
            try rig.locked { rig.device.focusMode = .locked }
            #expect(rig.device.focusMode == .locked && rig.device.minAvailableVideoZoomFactor == 1)
        }
    }

    @Test("the aperture starts at the format's own and keeps to its range")
    func aperture() throws {
        try inEnvironment(phoneEnvironment()) {
            let rig = try Rig()
            #expect(rig.input.simulatedAperture == 2.8)
            #expect(try Rig(.builtInTrueDepthCamera).input.simulatedAperture == 4.5)
            rig.session.addInput(rig.input)
            let raised = CaptureEnvironment.violations {
                rig.input.simulatedAperture = 1.4
                rig.input.simulatedAperture = 22
                rig.input.simulatedAperture = .nan
            }
            #expect(raised.map(\.name) == [.range, .range, .invalidArgument])
            rig.input.simulatedAperture = 8
            #expect(rig.input.simulatedAperture == 8)
            let plain = try Rig(.builtInWideAngleCamera)
            #expect(CaptureEnvironment.violations { plain.input.simulatedAperture = 2.8 }.map(\.name) == [.invalidArgument])
        }
    }

    @Test("a new input of the same camera starts with cinematic capture off")
    func newInputStartsOff() throws {
        try inEnvironment(phoneEnvironment()) {
            let rig = try Rig()
            rig.session.addInput(rig.input)
            rig.input.isCinematicVideoCaptureEnabled = true
            rig.session.removeInput(rig.input)
            #expect(!rig.input.isCinematicVideoCaptureEnabled)
            let fresh = try AVCaptureDeviceInput(device: rig.device)
            rig.session.addInput(fresh)
            #expect(fresh.isCinematicVideoCaptureSupported && !fresh.isCinematicVideoCaptureEnabled)
        }
    }

    @Test("an input that leaves within a batch is as it was until the commit, and one that comes back has never left")
    func leavingInBatch() throws {
        try inEnvironment(phoneEnvironment()) {
            let rig = try Rig()
            rig.session.addInput(rig.input)
            rig.input.isCinematicVideoCaptureEnabled = true
            rig.input.simulatedAperture = 8
            rig.session.beginConfiguration()
            rig.session.removeInput(rig.input)
            #expect(rig.input.isCinematicVideoCaptureEnabled)
            rig.session.addInput(rig.input)
            rig.session.commitConfiguration()
            #expect(rig.input.isCinematicVideoCaptureEnabled && rig.input.simulatedAperture == 8)
            rig.session.beginConfiguration()
            rig.session.removeInput(rig.input)
            #expect(rig.input.isCinematicVideoCaptureEnabled)
            rig.session.commitConfiguration()
            #expect(!rig.input.isCinematicVideoCaptureEnabled && !rig.input.isCinematicVideoCaptureSupported)
        }
    }

    @Test("enabled, a metadata output must have exactly the required types: at the setter, at a commit and at the start")
    func metadataTypes() throws {
        try inEnvironment(phoneEnvironment()) {
            let rig = try Rig()
            let output = AVCaptureMetadataOutput()
            #expect(CaptureEnvironment.violations { output.metadataObjectTypes = [.face] }.map(\.name) == [.invalidArgument])
            rig.session.addInput(rig.input)
            rig.session.addOutput(output)
            output.metadataObjectTypes = [.face]
            #expect(CaptureEnvironment.violations { output.metadataObjectTypes = [.init(rawValue: "unicorn")] }.map(\.name) == [.invalidArgument])
            let enabledAlone = CaptureEnvironment.violations {
                rig.session.beginConfiguration()
                rig.input.isCinematicVideoCaptureEnabled = true
                rig.session.commitConfiguration()
                output.metadataObjectTypes = [.face, .humanBody]
                rig.session.startRunning()
            }
            #expect(enabledAlone.map(\.name) == [.invalidArgument, .invalidArgument, .invalidArgument])
            #expect(
                enabledAlone.map { String($0.selector.suffix(24)) }
                    == ["ion commitConfiguration]", " setMetadataObjectTypes:]", "tureSession startRunning]"].map { String($0.suffix(24)) })
            let required = output.requiredMetadataObjectTypesForCinematicVideoCapture
            let fine = CaptureEnvironment.violations {
                output.metadataObjectTypes = required.reversed()
                rig.session.beginConfiguration()
                rig.session.commitConfiguration()
            }
            #expect(fine.isEmpty)
        }
    }

    private func callFocus(of device: AVCaptureDevice, at point: CGPoint) {
        device.setCinematicVideoTrackingFocus(detectedObjectID: 1, focusMode: .strong)
        device.setCinematicVideoTrackingFocus(at: point, focusMode: .weak)
        device.setCinematicVideoFixedFocus(at: point, focusMode: .strong)
    }

    @Test("the focus calls want the lock, then a cinematic format, then a point that is a number")
    func focusCalls() throws {
        try inEnvironment(phoneEnvironment()) {
            let rig = try Rig()
            let plain = try Rig(.builtInWideAngleCamera)
            rig.session.addInput(rig.input)
            rig.input.isCinematicVideoCaptureEnabled = true
            let centre = CGPoint(x: 0.5, y: 0.5)
            let unlocked = CaptureEnvironment.violations { callFocus(of: rig.device, at: centre) }
            #expect(unlocked.map(\.name) == [.generic, .generic, .generic])
            try rig.device.lockForConfiguration()
            try plain.device.lockForConfiguration()
            let unsupported = CaptureEnvironment.violations { callFocus(of: plain.device, at: centre) }
            #expect(unsupported.map(\.name) == [.invalidArgument, .invalidArgument, .invalidArgument])
            let reasons = unsupported.map { $0.reason.hasSuffix("Not supported - use activeFormat.isCinematicVideoCaptureSupported") }
            #expect(reasons == [true, true, true])
            let fine = CaptureEnvironment.violations { callFocus(of: rig.device, at: centre) }
            #expect(fine.isEmpty)
            let notNumbers = CaptureEnvironment.violations { callFocus(of: rig.device, at: CGPoint(x: Double.nan, y: 0)) }
            #expect(notNumbers.map(\.name) == [.invalidArgument, .invalidArgument])
        }
    }

    @Test("says what it makes of calls that Apple leaves undefined")
    func undefinedCalls() throws {
        let said = Mutex<[String]>([])
        var environment = phoneEnvironment()
        environment.onDiagnostic = { message in said.withLock { $0.append(message) } }
        try inEnvironment(environment) {
            let rig = try Rig()
            rig.session.addInput(rig.input)
            try rig.locked {
                rig.device.setCinematicVideoTrackingFocus(detectedObjectID: 1, focusMode: .weak)
                rig.input.isCinematicVideoCaptureEnabled = true
                rig.device.setCinematicVideoTrackingFocus(detectedObjectID: 1, focusMode: .none)
                rig.device.setCinematicVideoFixedFocus(at: CGPoint(x: 1.2, y: 0.5), focusMode: .weak)
            }
        }
        let messages = said.withLock { $0 }
        #expect(messages.count == 3)
        #expect(messages[0].contains("not enabled") && messages[1].contains("as weak") && messages[2].contains("nearest point"))
    }
}
