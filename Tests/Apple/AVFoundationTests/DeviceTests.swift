import AVFoundation
import Foundation
import Synchronization
import Testing

private typealias Raised = CaptureEnvironment.Violation.Name

@Suite("A device's controls")
struct DeviceControlTests {
    /// A setter, what it raises without the lock, and with it on the wide, the virtual and the fixed-focus camera.
    struct Rule: Sendable, CustomTestStringConvertible {
        let name: String
        let call: @Sendable (AVCaptureDevice) throws -> Void
        var wide: CaptureEnvironment.Violation.Name?
        var dual: CaptureEnvironment.Violation.Name?
        var fixed: CaptureEnvironment.Violation.Name?
        var testDescription: String { name }

        init(
            _ name: String, wide: CaptureEnvironment.Violation.Name? = nil, dual: CaptureEnvironment.Violation.Name? = nil,
            fixed: CaptureEnvironment.Violation.Name? = nil, _ call: @escaping @Sendable (AVCaptureDevice) throws -> Void
        ) {
            (self.name, self.call, self.wide, self.dual, self.fixed) = (name, call, wide, dual, fixed)
        }
    }

    static let rules: [Rule] = [
        Rule("focusMode locked") { $0.focusMode = .locked },
        Rule("focusMode autoFocus", fixed: .invalidArgument) { $0.focusMode = .autoFocus },
        Rule("focusMode continuous", fixed: .invalidArgument) { $0.focusMode = .continuousAutoFocus },
        Rule("focus point", fixed: .invalidArgument) { $0.focusPointOfInterest = CGPoint(x: 0.2, y: 0.8) },
        Rule("focus point outside", wide: .invalidArgument, dual: .invalidArgument, fixed: .invalidArgument) {
            $0.focusPointOfInterest = CGPoint(x: 1.2, y: 0.8)
        },
        Rule("lens position", dual: .invalidArgument, fixed: .invalidArgument) { $0.setFocusModeLocked(lensPosition: 0.3) },
        Rule("lens position above 1", wide: .range, dual: .invalidArgument, fixed: .invalidArgument) { $0.setFocusModeLocked(lensPosition: 1.3) },
        Rule("lens position at hand", fixed: .invalidArgument) { $0.setFocusModeLocked(lensPosition: AVCaptureDevice.currentLensPosition) },
        Rule("smooth focus", fixed: .invalidArgument) { $0.isSmoothAutoFocusEnabled = true },
        Rule("focus range", fixed: .invalidArgument) { $0.autoFocusRangeRestriction = .near },
        Rule("exposureMode locked") { $0.exposureMode = .locked },
        Rule("exposureMode custom", dual: .invalidArgument) { $0.exposureMode = .custom },
        Rule("exposure point") { $0.exposurePointOfInterest = CGPoint(x: 0, y: 1) },
        Rule("custom exposure", dual: .invalidArgument) { $0.setExposureModeCustom(duration: CMTime(value: 1, timescale: 100), iso: 50) },
        Rule("custom exposure, ISO too high", wide: .range, dual: .invalidArgument, fixed: .range) {
            $0.setExposureModeCustom(duration: AVCaptureDevice.currentExposureDuration, iso: 100_000)
        },
        Rule("custom exposure too long", wide: .range, dual: .invalidArgument, fixed: .range) {
            $0.setExposureModeCustom(duration: CMTime(value: 10, timescale: 1), iso: AVCaptureDevice.currentISO)
        },
        Rule("bias") { $0.setExposureTargetBias(-2) },
        Rule("bias too dark", wide: .range, dual: .range, fixed: .range) { $0.setExposureTargetBias(-9) },
        Rule("white balance locked") { $0.whiteBalanceMode = .locked },
        Rule("white balance gains", dual: .invalidArgument) {
            $0.setWhiteBalanceModeLocked(with: .init(redGain: 1.5, greenGain: 1, blueGain: 3))
        },
        Rule("white balance gain below 1", wide: .range, dual: .invalidArgument, fixed: .range) {
            $0.setWhiteBalanceModeLocked(with: .init(redGain: 0.5, greenGain: 1, blueGain: 3))
        },
        Rule("white balance at hand") { $0.setWhiteBalanceModeLocked(with: AVCaptureDevice.currentWhiteBalanceGains) },
        Rule("zoom") { $0.videoZoomFactor = 3 },
        Rule("zoom too far", wide: .range, dual: .range, fixed: .range) { $0.videoZoomFactor = 17 },
        Rule("zoom below 1", wide: .range, dual: .range, fixed: .range) { $0.videoZoomFactor = 0.5 },
        Rule("ramp") { $0.ramp(toVideoZoomFactor: 2, withRate: 1) },
        Rule("ramp too far", wide: .range, dual: .range, fixed: .range) { $0.ramp(toVideoZoomFactor: 40, withRate: 1) },
        Rule("cancel ramp") { $0.cancelVideoZoomRamp() },
        Rule("torch on") { $0.torchMode = .on },
        Rule("flash on") { $0.flashMode = .on },
        Rule("torch level") { try $0.setTorchModeOn(level: 0.5) },
        Rule("torch level 0", wide: .invalidArgument, dual: .invalidArgument, fixed: .invalidArgument) { try $0.setTorchModeOn(level: 0) },
        Rule("torch level above 1", wide: .invalidArgument, dual: .invalidArgument, fixed: .invalidArgument) {
            try $0.setTorchModeOn(level: 1.5)
        },
        Rule("frame duration") { $0.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 25) },
        Rule("frame duration too short", wide: .invalidArgument, dual: .invalidArgument, fixed: .invalidArgument) {
            $0.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 240)
        },
        Rule("frame duration too long", wide: .invalidArgument, dual: .invalidArgument, fixed: .invalidArgument) {
            $0.activeVideoMaxFrameDuration = CMTime(value: 2, timescale: 1)
        },
        Rule("frame duration reset") { $0.activeVideoMaxFrameDuration = .invalid },
        Rule("subject area") { $0.isSubjectAreaChangeMonitoringEnabled = true },
    ]

    @Test("is refused without the lock, and with it does what its camera can", arguments: rules)
    func rule(_ rule: Rule) throws {
        try inEnvironment(phoneEnvironment()) {
            for (type, expected) in [
                (AVCaptureDevice.DeviceType.builtInWideAngleCamera, rule.wide), (.builtInDualWideCamera, rule.dual),
                (.builtInUltraWideCamera, rule.fixed),
            ] {
                let device = try #require(AVCaptureDevice.default(type, for: .video, position: .back))
                let unlocked = try CaptureEnvironment.violations { try rule.call(device) }
                #expect(unlocked.map(\.name) == [.generic], "\(type)")
                #expect(unlocked.first?.reason.contains("exclusive ownership") == true)
                try device.lockForConfiguration()
                #expect(try CaptureEnvironment.violations { try rule.call(device) }.map(\.name) == [expected].compactMap { $0 }, "\(type)")
                device.unlockForConfiguration()
            }
        }
    }

    @Test("what was set reads back, and a scan ends locked")
    func readBack() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            try device.lockForConfiguration()
            defer { device.unlockForConfiguration() }
            device.setFocusModeLocked(lensPosition: 0.25)
            #expect(device.lensPosition == 0.25 && device.focusMode == .locked)
            device.focusMode = .autoFocus
            #expect(device.focusMode == .locked)
            device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 250), iso: 64)
            #expect(device.exposureMode == .custom && device.iso == 64 && device.exposureDuration == CMTime(value: 1, timescale: 250))
            device.setWhiteBalanceModeLocked(with: .init(redGain: 1.5, greenGain: 1, blueGain: 3))
            #expect(device.deviceWhiteBalanceGains.blueGain == 3 && device.whiteBalanceMode == .locked)
            try device.setTorchModeOn(level: AVCaptureDevice.maxAvailableTorchLevel)
            #expect(device.isTorchActive && device.torchLevel == 1 && device.torchMode == .on)
            device.torchMode = .auto
            #expect(!device.isTorchActive && device.torchMode == .auto)
        }
    }

    @Test("completion handlers come in the order of the calls")
    func completions() async throws {
        let device = try inEnvironment(phoneEnvironment()) { () throws -> AVCaptureDevice in
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            try device.lockForConfiguration()
            return device
        }
        let order = Mutex<[Int]>([])
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            device.setFocusModeLocked(lensPosition: 0.1) { _ in order.withLock { $0.append(1) } }
            device.setExposureTargetBias(1) { _ in order.withLock { $0.append(2) } }
            device.setFocusModeLocked(lensPosition: 0.9) { _ in done.resume() }
        }
        #expect(order.withLock { $0 } == [1, 2])
    }

    @Test("a new format takes zoom, torch, frame durations and points back; a commit takes the torch")
    func resets() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            session.addInput(try AVCaptureDeviceInput(device: device))
            try device.lockForConfiguration()
            defer { device.unlockForConfiguration() }
            device.videoZoomFactor = 3
            device.focusPointOfInterest = .zero
            device.torchMode = .on
            device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 24)
            session.beginConfiguration()
            session.commitConfiguration()
            #expect(!device.isTorchActive && device.videoZoomFactor == 3)
            device.activeFormat = device.formats[3]
            #expect(device.videoZoomFactor == 1)
            #expect(device.focusPointOfInterest == CGPoint(x: 0.5, y: 0.5))
            #expect(device.activeVideoMinFrameDuration == CMTime(value: 1, timescale: 30))
            #expect(session.sessionPreset == .inputPriority)
        }
    }

    @Test("a torch in a hot phone cannot be lit")
    func hotTorch() throws {
        let environment = phoneEnvironment()
        try inEnvironment(environment) {
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            try device.lockForConfiguration()
            environment.conditions.setPressure(.critical, of: device.uniqueID)
            let error = #expect(throws: AVError.self) { try device.setTorchModeOn(level: 1) }
            #expect(error?.code == .torchLevelUnavailable)
            environment.conditions.setPressure(.nominal, of: device.uniqueID)
            try device.setTorchModeOn(level: 1)
            #expect(device.isTorchActive)
        }
    }

    @Test("a ramp doubles the zoom every second of footage at rate 1, and ends at its target")
    func ramp() throws {
        let device = Mutex<AVCaptureDevice?>(nil)
        let zooms = Mutex<[CGFloat]>([])
        let observer = ScriptedObserver { _ in
            guard let device = device.withLock({ $0 }) else { return }
            zooms.withLock { $0.append(device.videoZoomFactor) }
        }
        var profile = CameraProfile.footage(CountingSource(count: 1).description, name: "zoom")
        profile.formats[0].maxZoom = 8
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 80), observer: observer, cameras: [profile])) {
            let app = try CameraApp(isCinematic: false)
            device.withLock { $0 = app.device }
            app.configure { $0.ramp(toVideoZoomFactor: 4, withRate: -1) }
            #expect(app.device.isRampingVideoZoom)
            try app.run()
            let seen = zooms.withLock { $0 }
            #expect(seen[0] == 1 && abs(seen[30] - 2) < 1e-9 && seen[60] == 4 && seen[79] == 4)
            #expect(seen == seen.sorted())
            #expect(!app.device.isRampingVideoZoom)
            // The observer must not hold the device that holds it.
            device.withLock { $0 = nil }
        }
    }

    @Test("presets choose the format of their size, large for photos and small for low")
    func presets() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            session.addInput(try AVCaptureDeviceInput(device: device))
            for (preset, height) in [
                (AVCaptureSession.Preset.photo, 3024), (.high, 1080), (.medium, 360), (.low, 144), (.vga640x480, 480), (.iFrame960x540, 540),
                (.hd1280x720, 720), (.hd4K3840x2160, 2160),
            ] {
                session.sessionPreset = preset
                #expect(Int(device.activeFormat.formatDescription.dimensions.height) == height, "\(preset.rawValue)")
            }
            session.beginConfiguration()
            session.sessionPreset = .low
            #expect(device.activeFormat.formatDescription.dimensions.height == 2160)
            session.commitConfiguration()
            #expect(device.activeFormat.formatDescription.dimensions.height == 144)
        }
    }
}
