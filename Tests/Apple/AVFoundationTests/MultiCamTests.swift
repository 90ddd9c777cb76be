import AVFoundation
import Foundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import AVFCapture

@Suite("A session of two cameras")
struct MultiCamTests {
    /// A session of a back and a front camera, each with video data, photos and a movie, and all that they delivered.
    private final class App: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
        final class Side: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
            let device: AVCaptureDevice
            let input: AVCaptureDeviceInput
            let video = AVCaptureVideoDataOutput()
            let photos = AVCapturePhotoOutput()
            let movie = AVCaptureMovieFileOutput()
            let recorder = Recorder()
            let taken = Mutex<[String]>([])

            init(_ device: AVCaptureDevice) throws {
                self.device = device
                input = try AVCaptureDeviceInput(device: device)
            }

            func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
                taken.withLock { $0.append(error.map { "\(($0 as? AVError)?.code as Any)" } ?? "photo") }
            }

            func capture() {
                let settings = AVCapturePhotoSettings()
                settings.photoQualityPrioritization = .speed
                photos.capturePhoto(with: settings, delegate: self)
            }

            func record() {
                let url = URL(fileURLWithPath: "/tmp/rackfocus-never-written-\(device.localizedName).mov")
                movie.startRecording(to: url, recordingDelegate: recorder)
            }

            /// Takes the camera's other format.
            func changeFormat() throws {
                try device.lockForConfiguration()
                device.activeFormat = device.formats[1]
                device.unlockForConfiguration()
            }
        }

        let session = AVCaptureMultiCamSession()
        let sides: [Side]
        let queue = DispatchQueue(label: "app of two cameras")
        private let seen = Mutex<[String]>([])
        /// Readings of the session's clock, in frames.
        let clock = Mutex<[Double]>([])
        var onFrame: (@Sendable (String) -> Void)?

        override init() {
            sides = try! [AVCaptureDevice.Position.back, .front].map { position in
                try Side(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position)!)
            }
            super.init()
            session.beginConfiguration()
            for side in sides { add(side) }
            session.commitConfiguration()
        }

        func add(_ side: Side) {
            session.addInputWithNoConnections(side.input)
            side.video.setSampleBufferDelegate(self, queue: queue)
            let ports = side.input.ports(for: .video, sourceDeviceType: nil, sourceDevicePosition: .unspecified)
            for output in [side.video, side.photos, side.movie] as [AVCaptureOutput] {
                if !session.outputs.contains(output) { session.addOutputWithNoConnections(output) }
                session.addConnection(AVCaptureConnection(inputPorts: ports, output: output))
            }
        }

        private func note(_ output: AVCaptureOutput, _ word: String) {
            let words = (output === sides[0].video ? "b" : "f") + word
            seen.withLock { $0.append(words) }
            onFrame?(words)
        }

        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            clock.withLock { $0.append((session.synchronizationClock?.time.seconds ?? -1) * 30) }
            note(output, "\(sampleBuffer.presentationTimeStamp.value)")
        }

        func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            note(output, " lost \(sampleBuffer.presentationTimeStamp.value)")
        }

        /// Frames since the last call, with those that were lost.
        func take() -> [String] {
            queue.sync {}
            return seen.withLock { seen in
                defer { seen = [] }
                return seen
            }
        }
    }

    private final class Opened: Sendable {
        let movies = Mutex<[String: FakeMovie]>([:])
        let count = Mutex(0)
        /// Called when a camera opens, with the number of the opening.
        let whenOpening = Mutex<(@Sendable (Int) -> Void)?>(nil)

        func open() {
            let number = count.withLock { count in
                count += 1
                return count
            }
            whenOpening.withLock { $0 }?(number)
        }

        /// Times of a movie's frames in 1/30 s, and whether it is finished.
        func movie(_ side: String) -> (count: Int, isFinished: Bool) {
            let content = movies.withLock { movies in movies.first { $0.key.contains(side) }?.value.all }
            return (content?.times.count ?? 0, content?.isFinished ?? false)
        }
    }

    /// Every opened camera begins with frame 0.
    private func environment(
        _ clock: CaptureEnvironment.Clock, frames: [Int] = [1000, 1000], opened: Opened = Opened(), observer: (any CaptureObserver)? = nil
    ) -> CaptureEnvironment {
        let cameras = ["back", "front"].enumerated().map { place, name in
            var profile = CameraProfile(
                uniqueID: name, name: name, modelID: "fake", deviceType: AVCaptureDevice.DeviceType.builtInWideAngleCamera.rawValue,
                position: place + 1, focalLength: 26,
                formats: [(64, 36), (32, 18)].map { width, height in
                    CameraProfile.Format(
                        width: width, height: height, pixelFormat: "420v", frameRates: 1...30, fieldOfView: 60, maxZoom: 1, cinematic: nil)
                })
            profile.hardware.hasMultiCam = true
            return profile
        }
        var environment = CaptureEnvironment(cameras: cameras, renderer: nil, observer: observer) { profile in
            opened.open()
            return CameraFeed(source: CountingSource(count: frames[profile.position - 1]), detector: ScriptedDetector { _ in [] })
        }
        environment.clock = clock
        environment.openMovie = { url, _ in
            let movie = FakeMovie()
            opened.movies.withLock { $0[url.lastPathComponent] = movie }
            return movie
        }
        return environment
    }

    // MARK: changes of one camera

    @Test("ends the captures of the camera whose format changes, and leaves those of the other alone", arguments: [0, 1])
    func format(changed: Int) async throws {
        let (stepper, opened) = (FrameStepper(), Opened())
        let environment = environment(.stepped(stepper), opened: opened)
        let app = inEnvironment(environment) { App() }
        let (side, other) = (app.sides[changed], app.sides[1 - changed])
        let names = changed == 0 ? ["b", "f"] : ["f", "b"]
        app.session.startRunning()
        for side in app.sides { side.record() }
        await stepper.step(frames: 3)
        _ = app.take()
        other.capture()
        try inEnvironment(environment) { try side.changeFormat() }
        await stepper.step(frames: 3)
        #expect(side.recorder.end() && side.recorder.error?.code == .sessionConfigurationChanged && side.recorder.isFileGood == true)
        #expect(side.recorder.words.last == "did finish" && opened.movie(side.device.localizedName) == (3, true))
        #expect(other.movie.isRecording && opened.movie(other.device.localizedName) == (6, false))
        #expect(eventually { !other.taken.withLock { $0.isEmpty } } && other.taken.withLock { $0 } == ["photo"])
        let seen = app.take()
        #expect(seen.filter { $0.hasPrefix(names[0]) } == ["\(names[0]) lost 0"] + (0..<3).map { "\(names[0])\($0)" })
        #expect(seen.filter { $0.hasPrefix(names[1]) } == (3..<6).map { "\(names[1])\($0)" })
        other.movie.stopRecording()
        #expect(other.recorder.end() && other.recorder.error == nil)
        app.session.stopRunning()
    }

    @Test("goes on with the second camera where the first is removed")
    func removal() async throws {
        let (stepper, opened, observer) = (FrameStepper(), Opened(), ScriptedObserver())
        let environment = environment(.stepped(stepper), opened: opened, observer: observer)
        let app = inEnvironment(environment) { App() }
        app.session.startRunning()
        for side in app.sides { side.record() }
        await stepper.step(frames: 2)
        inEnvironment(environment) { app.session.removeInput(app.sides[0].input) }
        await stepper.step(frames: 2)
        #expect(app.take() == ["b0", "f0", "b1", "f1", "f2", "f3"] && opened.count.withLock { $0 } == 2)
        #expect(app.sides[0].recorder.end() && app.sides[0].recorder.error?.code == .sessionConfigurationChanged)
        #expect(app.sides[1].movie.isRecording && opened.movie("front") == (4, false))
        #expect(observer.all.map(\.frame.index) == [0, 1, 2, 3], "the camera that is the first now is observed")
        // And with both where it comes back.
        inEnvironment(environment) {
            app.session.beginConfiguration()
            app.add(app.sides[0])
            app.session.commitConfiguration()
        }
        await stepper.step(frames: 2)
        #expect(Set(app.take()) == ["b0", "b1", "f4", "f5"])
        app.session.stopRunning()
    }

    @Test("ends where the camera is removed that still had frames")
    func removalOfLast() async throws {
        let stepper = FrameStepper()
        let app = inEnvironment(environment(.stepped(stepper), frames: [3, 1000])) { App() }
        app.session.startRunning()
        await stepper.step(frames: 5)
        #expect(app.session.isRunning)
        app.session.beginConfiguration()
        app.session.removeInput(app.sides[1].input)
        app.session.commitConfiguration()
        #expect(eventually { !app.session.isRunning })
    }

    @Test("another camera takes over the steps of the one before, whichever leads", arguments: [0, 1])
    func steps(changed: Int) async throws {
        let stepper = FrameStepper()
        let environment = environment(.stepped(stepper))
        let app = inEnvironment(environment) { App() }
        app.onFrame = { [unowned app] frame in
            if frame == "b1" || frame == "f1", app.sides[changed].device.activeFormat === app.sides[changed].device.formats[0] {
                try? app.sides[changed].changeFormat()
            }
        }
        app.session.startRunning()
        await stepper.step(frames: 5)
        let seen = app.take().filter { !$0.contains("lost") }
        #expect(seen.count { $0.hasPrefix("b") } == 5 && seen.count { $0.hasPrefix("f") } == 5, "\(seen)")
        app.session.stopRunning()
    }

    @Test("a step begun while a camera opens anew has the frames of both", arguments: [0, 1])
    func stepWhileOpening(changed: Int) async throws {
        let (stepper, opened) = (FrameStepper(), Opened())
        let environment = environment(.stepped(stepper), opened: opened)
        let app = inEnvironment(environment) { App() }
        app.session.startRunning()
        await stepper.step()
        _ = app.take()
        let step = Mutex<Task<Void, Never>?>(nil)
        opened.whenOpening.withLock { whenOpening in
            whenOpening = { _ in
                let isStepping = DispatchSemaphore(value: 0)
                step.withLock {
                    $0 = Task {
                        isStepping.signal()
                        await stepper.step(frames: 2)
                    }
                }
                _ = isStepping.wait(timeout: .now() + 1)
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
        try inEnvironment(environment) { try app.sides[changed].changeFormat() }
        await step.withLock { $0 }?.value
        let seen = app.take().filter { !$0.contains("lost") }
        #expect(seen.sorted() == (changed == 0 ? ["b0", "b1", "f1", "f2"] : ["b1", "b2", "f0", "f1"]))
        app.session.stopRunning()
    }

    @Test("has one pipeline for each camera where another thread starts it anew while one opens")
    func startedWhileOpening() async throws {
        let (stepper, opened) = (FrameStepper(), Opened())
        let environment = environment(.stepped(stepper), opened: opened)
        let app = inEnvironment(environment) { App() }
        app.session.startRunning()
        await stepper.step()
        inEnvironment(environment) { app.session.removeInput(app.sides[1].input) }
        opened.whenOpening.withLock { whenOpening in
            whenOpening = { [unowned app] number in
                guard number == 3 else { return }
                app.session.stopRunning()
                app.session.startRunning()
            }
        }
        inEnvironment(environment) {
            app.session.beginConfiguration()
            app.add(app.sides[1])
            app.session.commitConfiguration()
        }
        _ = app.take()
        await stepper.step(frames: 2)
        #expect(app.take() == ["b0", "f0", "b1", "f1"])
        app.session.stopRunning()
        opened.whenOpening.withLock { $0 = nil }
    }

    @Test("both go on from their next frame after an interruption")
    func interruption() async throws {
        let stepper = FrameStepper()
        let environment = environment(.stepped(stepper))
        let app = inEnvironment(environment) { App() }
        app.session.startRunning()
        await stepper.step(frames: 2)
        environment.conditions.interrupt(.videoDeviceInUseByAnotherClient)
        environment.conditions.endInterruption()
        await stepper.step(frames: 2)
        #expect(app.take() == ["b0", "f0", "b1", "f1", "b2", "f2", "b3", "f3"])
        app.session.stopRunning()
    }

    // MARK: pace

    @Test("both run at one pace without steps, until the last has ended", arguments: [(5, 5), (3, 6), (6, 3)])
    func pace(back: Int, front: Int) throws {
        for clock in [CaptureEnvironment.Clock.inline, .lockStep] {
            try inEnvironment(environment(clock, frames: [back, front])) {
                let app = App()
                app.session.startRunning()
                try #require(eventually { !app.session.isRunning }, "\(clock)")
                let both = (0..<max(back, front)).flatMap { ($0 < back ? ["b\($0)"] : []) + ($0 < front ? ["f\($0)"] : []) }
                #expect(app.take() == both, "\(clock)")
                let clock = app.clock.withLock { $0 }
                #expect(clock == clock.sorted() && clock.last == Double(max(back, front) - 1), "the clock never goes back")
            }
        }
    }

    @Test("no camera runs away from the other where decided frames wait for nobody")
    func threads() throws {
        try inEnvironment(environment(.virtual, frames: [200, 200])) {
            let app = App()
            app.session.startRunning()
            try #require(eventually { !app.session.isRunning })
            let seen = app.take()
            #expect(seen.count == 400)
            var (counts, farthest) = ([0, 0], 0)
            for frame in seen {
                counts[frame.hasPrefix("b") ? 0 : 1] += 1
                farthest = max(farthest, abs(counts[0] - counts[1]))
            }
            #expect(farthest <= 10)
        }
    }

    // MARK: synchronizer

    private final class Collector: NSObject, AVCaptureDataOutputSynchronizerDelegate, Sendable {
        let sets = Mutex<[[Int64?]]>([])

        func dataOutputSynchronizer(
            _ synchronizer: AVCaptureDataOutputSynchronizer, didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
        ) {
            let set = synchronizer.dataOutputs.map { synchronizedDataCollection.synchronizedData(for: $0)?.timestamp.value }
            sets.withLock { $0.append(set) }
        }
    }

    enum Pace: CaseIterable { case steps, inline, lockStep, threads }

    @Test("a synchronizer has the frames of one time of both", arguments: [[0, 1], [1, 0]], Pace.allCases)
    func synchronized(order: [Int], pace: Pace) async throws {
        let stepper = FrameStepper()
        let clock: CaptureEnvironment.Clock =
            switch pace {
            case .steps: .stepped(stepper)
            case .inline: .inline
            case .lockStep: .lockStep
            case .threads: .virtual
            }
        let environment = environment(clock, frames: [20, 20])
        let (app, collector) = inEnvironment(environment) { (App(), Collector()) }
        let synchronizer = inEnvironment(environment) { AVCaptureDataOutputSynchronizer(dataOutputs: order.map { app.sides[$0].video }) }
        synchronizer.setDelegate(collector, queue: app.queue)
        app.session.startRunning()
        if pace == .steps {
            await stepper.step(frames: 20)
            app.session.stopRunning()
        } else {
            try #require(eventually { !app.session.isRunning })
        }
        #expect(collector.sets.withLock { $0 } == (0..<20).map { [$0, $0] })
        synchronizer.setDelegate(nil, queue: nil)
    }

    @Test("a synchronizer has the last frames where one camera ends before the other", arguments: [(4, 3), (3, 4)], [Pace.inline, .lockStep])
    func synchronizedToTheEnd(frames: (back: Int, front: Int), pace: Pace) throws {
        try inEnvironment(environment(pace == .inline ? .inline : .lockStep, frames: [frames.back, frames.front])) {
            let (app, collector) = (App(), Collector())
            let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: app.sides.map(\.video))
            synchronizer.setDelegate(collector, queue: app.queue)
            app.session.startRunning()
            try #require(eventually { !app.session.isRunning })
            // The first output sets the pace.
            let expected: [[Int64?]] = (0..<Int64(frames.back)).map { [$0, $0 < frames.front ? $0 : nil] }
            #expect(eventually { collector.sets.withLock { $0 } == expected }, "\(collector.sets.withLock { $0 })")
            synchronizer.setDelegate(nil, queue: nil)
        }
    }

    @Test("a synchronizer has no frame of the camera that brings fewer, where it brings none")
    func synchronizedSlow() async throws {
        let stepper = FrameStepper()
        let environment = environment(.stepped(stepper))
        let (app, collector) = inEnvironment(environment) { (App(), Collector()) }
        let synchronizer = inEnvironment(environment) { AVCaptureDataOutputSynchronizer(dataOutputs: app.sides.map(\.video)) }
        synchronizer.setDelegate(collector, queue: app.queue)
        let front = app.sides[1].device
        try front.lockForConfiguration()
        front.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
        front.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 15)
        front.unlockForConfiguration()
        app.session.startRunning()
        await stepper.step(frames: 4)
        #expect(collector.sets.withLock { $0 } == [[0, 0], [1, nil], [2, 2], [3, nil]])
        app.session.stopRunning()
    }

    @Test("a synchronizer waits for a camera that brings nothing no longer than sixteen frames")
    func synchronizedAlone() {
        inEnvironment(environment(.lockStep)) {
            let (outputs, collector) = ([AVCaptureMetadataOutput(), AVCaptureMetadataOutput()], Collector())
            let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: outputs)
            synchronizer.setDelegate(collector, queue: DispatchQueue(label: "collector"))
            let delivery = Delivery(environment: .current)
            for frame in 0..<20 {
                let time = CMTime(value: Int64(frame), timescale: 30)
                synchronizer.hold(AVCaptureSynchronizedMetadataObjectData(timestamp: time, metadataObjects: []), from: outputs[0])
                synchronizer.expectFrame(at: time)
                synchronizer.deliverFrames(through: .negativeInfinity, by: delivery)
            }
            #expect(collector.sets.withLock { $0 } == (0..<4).map { [$0, nil] })
        }
    }
}
