import AVFoundation
import CaptureTesting
import Dispatch
import Synchronization
import Testing

private let stage = TestStage(
    .face("maya", box: CGRect(x: 0.2, y: 0.2, width: 0.2, height: 0.4), depth: 1.5),
    .prop("mug", box: CGRect(x: 0.7, y: 0.6, width: 0.1, height: 0.2), depth: 1))

private func times(_ frames: some Sequence<Int>) -> [CMTime] { frames.map { CMTime(value: CMTimeValue($0), timescale: 30) } }

@Suite("A phone's time")
struct PhoneTimeTests {
    @Test("goes frame by frame, each over before the step is")
    func frames() async throws {
        try await withCamera { phone, camera in
            for count in 1...5 {
                await phone.step()
                #expect(camera.times == times(0..<count))
            }
            await phone.step(for: .seconds(1))
            #expect(phone.frameCount == 35 && camera.times.last == CMTime(value: 34, timescale: 30))
            await phone.step(to: .seconds(1))
            #expect(phone.frameCount == 35, "that time is over")
            #expect(phone.time == .nanoseconds(133_333_333 + 1_000_000_000))
        }
    }

    @Test("passes without frames while nobody films, and for another camera goes on where it was")
    func gaps() async throws {
        try await withCamera { phone, camera in
            await phone.step(frames: 2)
            phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            await phone.step(frames: 10)
            phone.conditions.endInterruption()
            await phone.step()
            try camera.use(.builtInTrueDepthCamera)
            await phone.step()
            #expect(camera.times == times([0, 1, 12, 13]))
        }
    }

    @Test("does not pass while an app's queue is still to start its session")
    func start() async throws {
        try await withTestPhone(showing: TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 2))) { phone in
            let (session, queue) = (AVCaptureSession(), DispatchQueue(label: "app.session"))
            queue.async {
                usleep(30_000)
                session.addInput(try! AVCaptureDeviceInput(device: AVCaptureDevice.default(for: .video)!))
                session.startRunning()
            }
            try await phone.until(within: .seconds(1)) { session.isRunning }
            #expect(phone.time < .milliseconds(100))
        }
    }

    @Test("is waited for no longer than told, and then in real time for other actors")
    func until() async throws {
        try await withCamera { phone, camera in
            try await phone.until(within: .seconds(1)) { camera.times.count == 20 }
            #expect(phone.frameCount == 20)
            // Another queue that comes to its work after the first question in real time.
            let asked = Mutex(0)
            let isDone = Mutex(false)
            let wasAsked = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                wasAsked.wait()
                isDone.withLock { $0 = true }
            }
            try await phone.until(within: .zero) {
                let count = asked.withLock { asked in
                    asked += 1
                    return asked
                }
                guard count > 1 else {
                    wasAsked.signal()
                    return false
                }
                return isDone.withLock { $0 }
            }
        }
    }
}

@Suite("A phone's expectations")
struct PhoneExpectationTests {
    /// Message that a test would get.
    private func failure(of body: () async throws -> Void) async -> String {
        await TestFailure.$isRecorded.withValue(false) {
            do { try await body() } catch { return (error as? TestFailure)?.message ?? "another error: \(error)" }
            return "none"
        }
    }

    @Test("tell what was there instead, since when and why")
    func history() async throws {
        try await withCamera(showing: stage) { phone, camera in
            await phone.step(frames: 2)
            let text = await failure { try await phone.expect(focus: .nothing, within: .milliseconds(100)) }
            #expect(text.hasPrefix("expected focus none within 0.1 seconds, but at 0.133 s focus was on maya, weak, since 0.000 s"), "\(text)")
            #expect(text.contains("last decision: entered (maya) at 0.000 s"), "\(text)")
            let typo = await failure { try await phone.expect(focus: "mya") }
            #expect(typo == "the stage has no `mya`; did you mean `maya`?")
            let error = await #expect(throws: TestFailure.self) { try await phone.expect(focus: "mug") }
            #expect(error?.place?.hasSuffix("TestPhoneTests.swift:\(#line - 1)") == true)
            camera.session.stopRunning()
            #expect(await failure { try await phone.expect(focus: .nothing) }.hasSuffix("; no session is running"))
        }
    }

    @Test("a finger that is to touch somebody waits for the first frame")
    func firstTouch() async throws {
        try await withCamera(showing: stage) { phone, _ in
            let places = Mutex<[CGPoint]>([])
            phone.touch(tap: { point in places.withLock { $0.append(point) } })
            #expect(phone.frameCount == 0)
            try await phone.tap("maya")
            #expect(places.withLock { $0 }.count == 1 && phone.box(of: "maya") != nil)
        }
    }

    @Test("fingers say why they cannot touch")
    func fingers() async throws {
        try await withCamera(showing: stage) { phone, _ in
            #expect(await failure { try await phone.tap("maya") }.contains("no gesture is connected"))
            let layer = AVCaptureVideoPreviewLayer()
            phone.touch(on: layer, tap: { _ in })
            #expect(await failure { try await phone.tap("maya") }.contains("beside the preview layer"))
            try phone.leave("maya")
            await phone.step()
            #expect(await failure { try await phone.tap("maya") }.contains("maya is not to be seen at "))
        }
    }

    @Test("a fresh preview layer is turned as on a phone held upright, and taps land where it shows the subject")
    func upright() async throws {
        try await withCamera(showing: stage) { phone, camera in
            let layer = AVCaptureVideoPreviewLayer(session: camera.session)
            (layer.bounds, layer.videoGravity) = (CGRect(x: 0, y: 0, width: 390, height: 844), .resizeAspectFill)
            #expect(layer.connection?.videoRotationAngle == 90)
            let coordinator = AVCaptureDevice.RotationCoordinator(device: camera.device, previewLayer: layer)
            #expect(coordinator.videoRotationAngleForHorizonLevelPreview == 90 && coordinator.videoRotationAngleForHorizonLevelCapture == 90)
            // 16:9 upright fills the height: 474.75 points wide, of which 42.375 are cut off on either side.
            let point = layer.layerPointConverted(fromCaptureDevicePoint: CGPoint(x: 0.5, y: 0.2))
            #expect(abs(point.x - 337.425) < 0.01 && abs(point.y - 422) < 0.01, "\(point)")
            let tapped = Mutex<CGPoint?>(nil)
            phone.touch(on: layer, tap: { point in tapped.withLock { $0 = layer.captureDevicePointConverted(fromLayerPoint: point) } })
            await phone.step(frames: 3)
            try await phone.tap("maya")
            let place = try #require(tapped.withLock { $0 })
            let box = try #require(phone.box(of: "maya"))
            #expect(box.contains(place), "\(place) \(box)")
        }
    }

    @Test("a touch is a tap or a press by its exact time", arguments: [(499, "tap"), (500, "press")])
    func exactTimes(milliseconds: Int, gesture: String) async throws {
        try await withCamera(showing: stage) { phone, _ in
            let heard = Mutex<[String]>([])
            phone.touch(
                pressTime: .milliseconds(500), tap: { _ in heard.withLock { $0.append("tap") } },
                longPress: { _ in heard.withLock { $0.append("press") } })
            await phone.step(frames: 3)
            try await phone.press("maya", for: .milliseconds(milliseconds))
            #expect(heard.withLock { $0 } == [gesture])
        }
    }

    @Test("what would end the app is expected, or fails the test")
    func violations() async throws {
        try await withCamera { phone, camera in
            let device = camera.device
            let violation = try await phone.expectViolation(.generic, "lockForConfiguration") { device.videoZoomFactor = 2 }
            #expect(violation.selector == "-[AVCaptureDevice setVideoZoomFactor:]")
            #expect(await failure { try await phone.expectViolation(.range) {} }.hasSuffix("but nothing was raised"))
            let other = await failure { try await phone.expectViolation(.range) { device.videoZoomFactor = 2 } }
            #expect(other.contains("but this was raised: NSGenericException"))
        }
        let unexpected = await failure { try await withCamera { $1.device.videoZoomFactor = 2 } }
        #expect(unexpected.hasPrefix("this would have ended the app: NSGenericException"))
    }

    @Test("notifications are those of this phone, soon or after some frames")
    func notifications() async throws {
        try await withCamera { phone, camera in
            try await phone.expect(notification: AVCaptureSession.didStopRunningNotification) { camera.session.stopRunning() }
            let text = await failure {
                try await phone.expect(notification: AVCaptureSession.didStartRunningNotification, within: .milliseconds(100)) {
                    try await withCamera { _, _ in }
                }
            }
            #expect(text.contains("AVCaptureSessionDidStartRunningNotification, but it was not posted"))
        }
    }

    @Test("an app hears of its own phone's heat, and of none beside")
    func heat() async throws {
        try await withTestPhone { phone in
            let states = Mutex<[ProcessInfo.ThermalState]>([])
            let name = ProcessInfo.thermalStateDidChangeNotification
            let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                states.withLock { $0.append(ProcessInfo.processInfo.thermalState) }
            }
            defer { NotificationCenter.default.removeObserver(token) }
            try await withTestPhone { $0.conditions.setThermalState(.critical) }
            #expect(states.withLock { $0 } == [] && ProcessInfo.processInfo.thermalState == .nominal)
            phone.conditions.setThermalState(.serious)
            #expect(states.withLock { $0 } == [.serious])
        }
    }
}

@Suite("A phone's stage")
struct PhoneStageTests {
    @Test("subjects come and go, move and turn from the next frame on; who comes back is somebody else")
    func world() async throws {
        try await withCamera(showing: stage) { phone, _ in
            try await phone.expect(focus: "maya", within: .seconds(1))
            try phone.leave("maya")
            await phone.step()
            #expect(phone.box(of: "maya") == nil)
            try await phone.expect(focus: .nothing, within: .seconds(5))
            try phone.enter("maya")
            try phone.move("maya", to: CGRect(x: 0.5, y: 0.2, width: 0.2, height: 0.4), depth: 1.5, over: .milliseconds(100))
            try await phone.expect(focus: "maya", within: .seconds(1))
            await phone.step(for: .milliseconds(100))
            #expect(phone.box(of: "maya")?.minX == 0.5)
            try phone.turn("maya", to: 180)
            await phone.step()
            #expect(phone.box(of: "maya") != phone.box(of: "mug"))
            phone.cover(for: .milliseconds(100))
            await phone.step()
            #expect(phone.box(of: "maya") == nil)
        }
    }

    @Test("a camera looked for on a queue of the app's own is found, now or later, and so is one that its work's work looks for")
    func queues() async throws {
        try await withTestPhone { _ in
            let found = await withCheckedContinuation { continuation in
                let queue = DispatchQueue(label: "session")
                queue.async {
                    queue.asyncAfter(deadline: .now()) {
                        DispatchQueue.main.async {
                            Task { continuation.resume(returning: AVCaptureDevice.default(for: .video)) }
                        }
                    }
                }
            }
            #expect(found != nil)
        }
    }

    @Test("a scenario that does not hold is told by line, and one without a file is missed")
    func scenarios() async throws {
        let text = """
            scenario: Nobody is there
            clip: {source: synthetic, size: 64x36, fps: 30, length: 1s}
            timeline:
              - 0.5s: {expect: {objects: 1}}
            """
        let error = await thrownFailure {
            try await withCamera(showing: TestStage(scenario: text, path: "nobody.yaml")) { phone, _ in try await phone.play() }
        }
        #expect(error?.message.hasPrefix("nobody.yaml:4:12: expected 1 objects, but at 0.500 s nothing was in focus") == true, "\(error as Any)")
        _ = await thrownFailure { try await withTestPhone { try await $0.play() } }
        #expect(throws: (any Error).self) { try TestStage(scenario: "scenario: [") }
    }
}

@Suite("Metadata objects made by hand")
struct MetadataMakingTests {
    @Test("are of Apple's classes, and raise what Apple's raise")
    func objects() async throws {
        let bounds = CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4)
        let objects: [AVMetadataObject] = [
            AVMetadataFaceObject(objectID: 1, groupID: 2, faceID: 3, bounds: bounds, yawAngle: 45, focusMode: .strong),
            AVMetadataHumanBodyObject(objectID: 4, groupID: 2, bodyID: 5, bounds: bounds),
            AVMetadataCatBodyObject(objectID: 6, bounds: bounds), AVMetadataDogBodyObject(objectID: 7, bounds: bounds),
            AVMetadataCatHeadObject(objectID: 8, bounds: bounds), AVMetadataDogHeadObject(objectID: 9, bounds: bounds),
            AVMetadataSalientObject(objectID: 10, bounds: bounds, isFixedFocus: true),
        ]
        #expect(objects.map(\.type) == [.face, .humanBody, .catBody, .dogBody, .catHead, .dogHead, .salientObject])
        #expect(objects.map(\.objectID) == [1, 4, 6, 7, 8, 9, 10] && objects.map(\.groupID) == [2, 2, -1, -1, -1, -1, -1])
        #expect(objects.allSatisfy { $0.bounds == bounds } && objects[6].isFixedFocus && objects[0].cinematicVideoFocusMode == .strong)
        let face = try #require(objects[0] as? AVMetadataFaceObject)
        #expect(face.faceID == 3 && face.hasYawAngle && face.yawAngle == 45)
        #expect((objects[1] as? AVMetadataBodyObject)?.bodyID == 5)
        try await withTestPhone { phone in
            let blank = AVMetadataFaceObject(objectID: 1, bounds: bounds)
            try await phone.expectViolation(.generic, "hasYawAngle") { _ = blank.yawAngle }
        }
    }

    @Test("codes stand upright however the phone is held", arguments: [[0, 0, 0], [90, 0, 1], [180, 1, 1], [270, 1, 0]] as [[CGFloat]])
    func codes(place: [CGFloat]) async throws {
        try await withTestPhone { phone in
            let (angle, x, y) = (place[0], place[1], place[2])
            phone.conditions.setHorizonAngle(angle)
            let code = AVMetadataMachineReadableCodeObject(.init(.qr, "upright", bounds: CGRect(x: 0, y: 0, width: 1, height: 1)))
            #expect(code.corners.first == CGPoint(x: x, y: y) && code.corners[2] == CGPoint(x: 1 - x, y: 1 - y))
            // Counter-clockwise, in a space whose y axis points down.
            let (one, two) = (code.corners[1], code.corners[2])
            #expect((one.x - x) * (two.y - one.y) - (one.y - y) * (two.x - one.x) == -1)
        }
    }
}
