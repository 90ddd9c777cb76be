import AVFoundation
import Pipeline
import Synchronization
import Testing

@Suite("What else a device is asked")
struct DeviceBreadthTests {
    private func wide() throws -> AVCaptureDevice {
        try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
    }

    private func locked(_ device: AVCaptureDevice, _ body: () -> Void) throws {
        try device.lockForConfiguration()
        body()
        device.unlockForConfiguration()
    }

    @Test("rectangles of interest: the lock comes first, then support, then the size; point and rectangle follow each other")
    func rects() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try wide()
            let fixed = try #require(AVCaptureDevice.default(.builtInUltraWideCamera, for: .video, position: .back))
            let rect = CGRect(x: 0.5, y: 0.5, width: 0.25, height: 0.5)
            let unlocked = CaptureEnvironment.violations {
                device.focusRectOfInterest = rect
                fixed.focusRectOfInterest = rect
            }
            #expect(unlocked.map(\.name) == [.generic, .generic])
            try fixed.lockForConfiguration()
            try device.lockForConfiguration()
            let refused = CaptureEnvironment.violations {
                fixed.focusRectOfInterest = rect
                device.focusRectOfInterest = CGRect(x: 0, y: 0, width: 0.01, height: 0.5)
                device.exposureRectOfInterest = CGRect(x: 0.9, y: 0.9, width: 0.2, height: 0.2)
            }
            #expect(refused.map(\.name) == [.invalidArgument, .invalidArgument, .invalidArgument])
            #expect(!fixed.isFocusRectOfInterestSupported && fixed.minFocusRectOfInterestSize == .zero)
            device.focusRectOfInterest = rect
            device.exposureRectOfInterest = rect
            let middle = CGPoint(x: 0.625, y: 0.75)
            #expect(device.focusPointOfInterest == middle)
            #expect(device.exposurePointOfInterest == middle)
            device.focusPointOfInterest = CGPoint(x: 0, y: 0.5)
            let around = CGRect(x: 0, y: 0.375, width: 0.25, height: 0.25)
            #expect(device.focusRectOfInterest == around)
            device.activeFormat = device.formats[1]
            #expect(device.exposureRectOfInterest == device.defaultRectForExposurePoint(ofInterest: CGPoint(x: 0.5, y: 0.5)))
        }
    }

    @Test("faces drive focus and exposure, by hand only once the system does not")
    func faces() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try wide()
            try locked(device) {
                let raised = CaptureEnvironment.violations {
                    device.isFaceDrivenAutoFocusEnabled = false
                    device.isFaceDrivenAutoExposureEnabled = false
                }
                #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument])
                device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = false
                device.isFaceDrivenAutoFocusEnabled = false
                #expect(!device.isFaceDrivenAutoFocusEnabled && device.isFaceDrivenAutoExposureEnabled)
                device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = true
                #expect(device.isFaceDrivenAutoFocusEnabled)
            }
        }
    }

    @Test("colour spaces are the format's, HDR has its own exception, and a preset chooses for photos")
    func colours() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try wide()
            let tenBit = try #require(
                device.formats.first { $0.formatDescription.mediaSubType.rawValue == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange })
            try locked(device) {
                #expect(device.activeFormat.supportedColorSpaces == [.sRGB, .P3_D65] && device.activeColorSpace == .sRGB)
                let raised = CaptureEnvironment.violations {
                    device.activeColorSpace = .HLG_BT2020
                    device.isVideoHDREnabled = true
                }
                #expect(raised.map(\.name) == [.invalidArgument, .generic])
                device.activeFormat = tenBit
                device.activeColorSpace = .HLG_BT2020
                device.activeFormat = device.formats[0]
                #expect(device.activeColorSpace == .sRGB)
                device.automaticallyAdjustsVideoHDREnabled = false
                #expect(CaptureEnvironment.violations { device.isVideoHDREnabled = true }.map(\.name) == [.invalidArgument])
            }
            let session = AVCaptureSession()
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.sessionPreset = .photo
            #expect(device.activeColorSpace == .P3_D65)
            session.automaticallyConfiguresCaptureDeviceForWideColor = false
            session.sessionPreset = .high
            #expect(device.activeColorSpace == .P3_D65)
        }
    }

    @Test("an automatic frame rate and a chosen or locked one exclude each other")
    func frameRates() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try wide()
            let input = try AVCaptureDeviceInput(device: device)
            let frame = CMTime(value: 1, timescale: 24)
            try locked(device) {
                device.isAutoVideoFrameRateEnabled = true
                let raised = CaptureEnvironment.violations {
                    device.activeVideoMinFrameDuration = frame
                    input.activeLockedVideoFrameDuration = frame
                }
                #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument])
                device.isAutoVideoFrameRateEnabled = false
                input.activeLockedVideoFrameDuration = frame
                #expect(device.activeVideoMinFrameDuration == frame && device.activeVideoMaxFrameDuration == frame)
                #expect(CaptureEnvironment.violations { device.isAutoVideoFrameRateEnabled = true }.map(\.name) == [.invalidArgument])
                device.activeFormat = device.formats[1]
                #expect(!input.activeLockedVideoFrameDuration.isValid)
                device.activeMaxExposureDuration = CMTime(value: 1, timescale: 60)
                #expect(CaptureEnvironment.violations { device.activeMaxExposureDuration = CMTime(value: 9, timescale: 1) }.map(\.name) == [.range])
                #expect(CaptureEnvironment.violations { input.videoMinFrameDurationOverride = CMTime(value: 1, timescale: 900) }.count == 1)
            }
        }
    }

    @Test("temperature and tint come back from their gains", arguments: [3000, 4000, 5000, 6504, 9000], [-40, 0, 60])
    func temperature(kelvin: Int, tint: Int) throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try wide()
            let gains = device.deviceWhiteBalanceGains(
                for: AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: Float(kelvin), tint: Float(tint)))
            let back = device.temperatureAndTintValues(for: gains)
            #expect(abs(back.temperature - Float(kelvin)) < Float(kelvin) / 50 && abs(back.tint - Float(tint)) < 3)
            #expect(min(gains.redGain, gains.greenGain, gains.blueGain) == 1)
            if tint == 0, kelvin < 4500 { #expect(gains.blueGain > gains.redGain) }
        }
        let daylight = try inEnvironment(phoneEnvironment()) {
            try wide().chromaticityValues(for: AVCaptureDevice.WhiteBalanceGains(redGain: 1, greenGain: 1, blueGain: 1))
        }
        #expect(abs(daylight.x - 0.3127) < 1e-3 && abs(daylight.y - 0.3290) < 1e-3)
    }

    @Test("a virtual camera says who sees once it runs, and how its zoom is shown")
    func constituents() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 1), cameras: CameraProfile.iPhone14)) {
            let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            _ = AVCaptureDevice.DiscoverySession(deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .back).devices
            #expect(device.activePrimaryConstituent == nil && device.displayVideoZoomFactorMultiplier == 0.5)
            #expect(try wide().displayVideoZoomFactorMultiplier == 1)
            #expect(device.activeFormat.autoFocusSystem == .phaseDetection && device.activeFormat.unsupportedCaptureOutputClasses.isEmpty)
        }
    }

    @Test("who asks to be told ahead is told before the change, with the old value")
    func prior() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try wide()
            let seen = Mutex<[String]>([])
            let observation = device.observe(\.videoZoomFactor, options: [.old, .new, .prior]) { device, change in
                seen.withLock { $0.append("\(change.isPrior) \(device.videoZoomFactor) \(change.oldValue ?? 0) \(change.newValue ?? 0)") }
            }
            try locked(device) { device.videoZoomFactor = 2 }
            #expect(seen.withLock { $0 } == ["true 1.0 1.0 0.0", "false 2.0 1.0 2.0"])
            observation.invalidate()
        }
    }

    private final class Watcher: NSObject, NSKeyValueObserving {
        let seen = Mutex<[String]>([])
        func observeValue(forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?) {
            let camera = change?[.newKey] as? AVCaptureDevice
            seen.withLock { $0.append("\(keyPath ?? "") \(camera?.localizedName ?? "none")") }
        }
    }

    @Test("the system's preferred camera is observed on the class, by string")
    func preferred() {
        inEnvironment(phoneEnvironment()) {
            let watcher = Watcher()
            AVCaptureDevice.self.addObserver(watcher, forKeyPath: "systemPreferredCamera", options: [.new], context: nil)
            AVCaptureDevice.userPreferredCamera = AVCaptureDevice.default(.builtInTrueDepthCamera, for: .video, position: .front)
            let conditions = CaptureEnvironment.scoped!.conditions
            conditions.disconnect(CameraProfile.trueDepth.uniqueID)
            AVCaptureDevice.self.removeObserver(watcher, forKeyPath: "systemPreferredCamera")
            AVCaptureDevice.userPreferredCamera = AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back)
            #expect(watcher.seen.withLock { $0 } == ["systemPreferredCamera Front TrueDepth Camera", "systemPreferredCamera Back Camera"])
        }
    }
}

@Suite("What else a session is asked")
struct SessionBreadthTests {
    private final class Listener: NSObject, AVCaptureSessionDeferredStartDelegate, AVCaptureSessionControlsDelegate {
        let events = Mutex<[String]>([])
        let queue = DispatchQueue(label: "listener")
        private func add(_ event: String) { events.withLock { $0.append(event) } }
        func sessionWillRunDeferredStart(_ session: AVCaptureSession) { add("will") }
        func sessionDidRunDeferredStart(_ session: AVCaptureSession) { add("did") }
        func sessionControlsDidBecomeActive(_ session: AVCaptureSession) { add("active") }
        func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) { add("enter") }
        func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) { add("exit") }
        func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) { add("inactive") }
        var all: [String] { queue.sync { events.withLock { $0 } } }
    }

    @Test("starts late outputs by itself, or once per commit when the app says so")
    func deferredStart() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 1_000_000))) {
            let (app, listener) = (try CameraApp(isCinematic: false), Listener())
            let photo = AVCapturePhotoOutput()
            #expect(photo.isDeferredStartEnabled && !app.videoOutput.isDeferredStartEnabled && app.session.automaticallyRunsDeferredStart)
            let raised = CaptureEnvironment.violations {
                app.metadataOutput.isDeferredStartEnabled = true
                app.session.runDeferredStartWhenNeeded()
                app.session.setDeferredStartDelegate(listener, deferredStartDelegateCallbackQueue: nil)
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument, .invalidArgument])
            app.session.addOutput(photo)
            app.session.setDeferredStartDelegate(listener, deferredStartDelegateCallbackQueue: listener.queue)
            app.session.startRunning()
            #expect(listener.all == ["will", "did"])
            app.session.stopRunning()
            app.session.automaticallyRunsDeferredStart = false
            app.session.beginConfiguration()
            app.session.commitConfiguration()
            app.session.startRunning()
            #expect(listener.all.count == 2)
            app.session.runDeferredStartWhenNeeded()
            app.session.runDeferredStartWhenNeeded()
            #expect(listener.all == ["will", "did", "will", "did"])
            app.session.stopRunning()
        }
    }

    @Test("takes controls where the phone has the button, and the user moves them")
    func controls() throws {
        var environment = fakeEnvironment(source: CountingSource(count: 1_000_000))
        #expect(inEnvironment(environment) { !AVCaptureSession().supportsControls })
        #expect(CameraProfile.iPhone17Pro[0].hardware.hasCameraControl && !CameraProfile.iPhone14[0].hardware.hasCameraControl)
        environment.cameras[0].hardware.hasCameraControl = true
        environment.cameras[0].formats[0].maxZoom = 8
        try inEnvironment(environment) {
            let (app, listener) = (try CameraApp(isCinematic: false), Listener())
            let slider = AVCaptureSlider("Grain", symbolName: "circle", in: 0...1, step: 0.25)
            let picker = AVCaptureIndexPicker("Film", symbolName: "film", localizedIndexTitles: ["day", "night"])
            let zoom = AVCaptureSystemZoomSlider(device: app.device)
            let bias = AVCaptureSystemExposureBiasSlider(device: app.device)
            let moves = Mutex<[String]>([])
            slider.setActionQueue(listener.queue) { value in moves.withLock { $0.append("\(value)") } }
            picker.setActionQueue(listener.queue) { index in moves.withLock { $0.append("\(index)") } }
            for control in [slider, picker, zoom, bias] where app.session.canAddControl(control) { app.session.addControl(control) }
            let raised = CaptureEnvironment.violations {
                app.session.addControl(slider)
                app.session.addControl(AVCaptureSlider("Fifth", symbolName: "5", values: [1, 2]))
                app.session.setControlsDelegate(listener, queue: nil)
                slider.value = 2
                picker.selectedIndex = 2
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument, .invalidArgument, .range, .range])
            app.session.setControlsDelegate(listener, queue: listener.queue)
            app.session.startRunning()
            let conditions = app.session.controls.isEmpty ? nil : CaptureEnvironment.scoped?.conditions
            conditions?.setControlsActive(true)
            conditions?.move(slider, to: 0.6)
            conditions?.move(picker, to: 1)
            conditions?.move(zoom, to: 3)
            conditions?.move(bias, to: -100)
            conditions?.setControlsActive(false)
            #expect(listener.all == ["active", "enter", "exit", "inactive"] && moves.withLock { $0 } == ["0.5", "1"])
            #expect(slider.value == 0.5 && picker.selectedIndex == 1 && picker.localizedIndexTitles == ["day", "night"])
            #expect(app.device.videoZoomFactor == 3 && app.device.exposureTargetBias == app.device.minExposureTargetBias)
            app.session.stopRunning()
            app.session.removeControl(slider)
            #expect(app.session.controls.count == 3)
        }
    }

    @Test("of several cameras leaves their formats to the app and has no cinematic capture")
    func multiCam() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureMultiCamSession()
            let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            let input = try AVCaptureDeviceInput(device: device)
            #expect(AVCaptureMultiCamSession.isMultiCamSupported && session.sessionPreset == .inputPriority)
            session.addInput(input)
            #expect(!input.isCinematicVideoCaptureSupported && !session.canSetSessionPreset(.high))
            let front = try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(.builtInTrueDepthCamera, for: .video, position: .front)))
            #expect(session.canAddInput(front) && session.hardwareCost == 0 && session.systemPressureCost == 0)
            // A camera that the virtual one is made of has no sensor of its own.
            let wide = try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back)))
            #expect(!session.canAddInput(wide))
            session.addOutput(AVCaptureVideoDataOutput())
            let alone = session.hardwareCost
            session.addInput(front)
            #expect(alone > 0 && session.hardwareCost == alone && !session.canAddInput(wide))
            session.addOutput(AVCaptureVideoDataOutput())
            #expect(session.connections.count { $0.output is AVCaptureVideoDataOutput } == 2 && session.hardwareCost == 2 * alone)
            let output = AVCapturePhotoOutput()
            #expect(output.maxPhotoQualityPrioritization == .balanced)
            session.addOutput(output)
            #expect(output.maxPhotoQualityPrioritization == .speed)
            #expect(session.masterClock === session.synchronizationClock && session.usesApplicationAudioSession)
        }
    }

    @Test("a movie beside video data costs, alone it does not")
    func cost() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(AVCaptureMovieFileOutput())
            #expect(session.hardwareCost == 0)
            session.addOutput(AVCaptureVideoDataOutput())
            #expect(abs(session.hardwareCost - 0.25) < 1e-6)
        }
    }

    @Test("metadata types become available, previews begin and end, and observers hear it")
    func observed() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 1_000_000))) {
            let session = AVCaptureSession()
            let (output, layer) = (AVCaptureMetadataOutput(), AVCaptureVideoPreviewLayer(session: session))
            let seen = Mutex<[String]>([])
            let observations = [
                output.observe(\.availableMetadataObjectTypes, options: .new) { _, change in
                    seen.withLock { $0.append("\(change.newValue?.count ?? -1)") }
                },
                layer.observe(\.isPreviewing, options: .new) { _, change in seen.withLock { $0.append("\(change.newValue ?? false)") } },
            ]
            let device = try #require(AVCaptureDevice.default(for: .video))
            session.addOutput(output)
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.startRunning()
            #expect(layer.isPreviewing)
            session.stopRunning()
            session.removeOutput(output)
            #expect(seen.withLock { $0 } == ["26", "true", "false", "0"])
            #expect(!layer.isDeferredStartEnabled)
            observations.forEach { $0.invalidate() }
        }
    }
}

@Suite("What else an object tells")
struct MetadataBreadthTests {
    @Test("a face's angles turn and mirror with the picture, and a code's corners move with it")
    func transformed() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            let output = AVCaptureVideoDataOutput()
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            let connection = try #require(output.connection(with: .video))
            (connection.videoRotationAngle, connection.isVideoMirrored) = (90, true)
            var content = AVMetadataObject.Content(.face, bounds: CGRect(x: 0, y: 0, width: 0.5, height: 0.5), time: .zero)
            (content.yaw, content.roll) = (30, 10)
            let environment = CaptureEnvironment.scoped!
            let face = try #require(
                output.transformedMetadataObject(for: .make(content, .init(environment)), connection: connection) as? AVMetadataFaceObject)
            #expect(face.hasRollAngle && face.rollAngle == 260 && face.yawAngle == -30)
            #expect(face.bounds == CGRect(x: 0, y: 0, width: 540, height: 960))
            content.type = .qr
            (content.corners, content.stringValue) = ([CGPoint(x: 0, y: 0), CGPoint(x: 0, y: 0.5)], "hello")
            let object = AVMetadataObject.make(content, .init(environment))
            let code = try #require(output.transformedMetadataObject(for: object, connection: connection) as? AVMetadataMachineReadableCodeObject)
            #expect(code.stringValue == "hello" && code.corners == [CGPoint(x: 0, y: 0), CGPoint(x: 540, y: 0)])
            let other = AVCaptureConnection(inputPorts: connection.inputPorts, output: output)
            #expect(output.transformedMetadataObject(for: object, connection: other) == nil)
            content.type = .humanFullBody
            #expect(AVMetadataObject.make(content, .init(environment)) is AVMetadataHumanFullBodyObject)
        }
    }

    @Test("video buffers can be lossless by name, and as small as a preview")
    func videoData() {
        inEnvironment(phoneEnvironment()) {
            let output = AVCaptureVideoDataOutput()
            let raised = CaptureEnvironment.violations { output.deliversPreviewSizedOutputBuffers = true }
            #expect(raised.map(\.name) == [.invalidArgument] && !output.preservesDynamicHDRMetadata)
            output.automaticallyConfiguresOutputBufferDimensions = false
            output.deliversPreviewSizedOutputBuffers = true
            #expect(output.deliversPreviewSizedOutputBuffers && output.recommendedMediaTimeScaleForAssetWriter >= 600)
            output.automaticallyConfiguresOutputBufferDimensions = true
            #expect(!output.deliversPreviewSizedOutputBuffers)
        }
        let picture = CountingSource.frame(index: 4).image
        for format in [kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange] {
            let result = PictureConverter().convert(picture, to: format, rotation: 0, isMirrored: false)
            let isFull = format == kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange
            #expect(CVPixelBufferGetPixelFormatType(result) == format && result.plane(0).row(3, as: UInt8.self)[5] == (isFull ? 5 : 20))
        }
    }
}
