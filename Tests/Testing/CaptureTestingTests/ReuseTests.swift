import AVFoundation
import CaptureTesting
import Synchronization
import Testing

/// App with a camera of its own for the whole process, set up once.
private final class SharedCamera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    static let shared = SharedCamera()
    let session = AVCaptureSession()
    private let queue = DispatchQueue(label: "shared camera")
    private let state = Mutex((isReady: false, frames: 0))

    var frames: Int { state.withLock { $0.frames } }

    /// Sets up at the first call, and starts.
    func start() async {
        await withCheckedContinuation { continuation in
            queue.async {
                if !self.state.withLock({ $0.isReady }) { self.configure() }
                self.session.startRunning()
                continuation.resume()
            }
        }
    }

    private func configure() {
        guard let device = AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back),
            let input = try? AVCaptureDeviceInput(device: device)
        else { return }
        let output = AVCaptureVideoDataOutput()
        output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "frames"))
        session.beginConfiguration()
        session.addInput(input)
        session.addOutput(output)
        input.isCinematicVideoCaptureEnabled = input.isCinematicVideoCaptureSupported
        session.commitConfiguration()
        state.withLock { $0.isReady = true }
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        state.withLock { $0.frames += 1 }
    }
}

/// Tests of a process-wide phone, of which there is one at a time.
@Suite("Process-wide phones", .serialized)
struct ProcessWideTests {
    @Test("a camera looked for outside of every task and queue of the test is found when the phone is the process'")
    func processWide() async throws {
        func isFound() async -> Bool { await Task.detached { AVCaptureDevice.default(for: .video) != nil }.value }
        #expect(try await withTestPhone { _ in await isFound() } == false)
        #expect(try await withTestPhone(isProcessWide: true) { _ in await isFound() })
        #expect(await !isFound())
        // A failure says why the camera was not there.
        let stray = await thrownFailure { try await withTestPhone { _ in if await !isFound() { throw CancellationError() } } }
        #expect(stray?.message.contains("call `withTestPhone(isProcessWide: true)`") == true, "\(stray as Any)")
        let second = await thrownFailure {
            try await withTestPhone(isProcessWide: true) { _ in try await withTestPhone(isProcessWide: true) { _ in } }
        }
        #expect(second?.message.contains("another test has the process-wide phone") == true, "\(second as Any)")
        #expect(await !isFound())
    }

    @Test("two at once, as in two suites side by side, are one test and one refusal, and the next has its phone")
    func sideBySide() async throws {
        let (refusals, refused) = AsyncStream.makeStream(of: TestFailure.self)
        // The first keeps its phone until the other was refused.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...2 {
                group.addTask {
                    do {
                        try await TestFailure.$isRecorded.withValue(false) {
                            try await withTestPhone(isProcessWide: true) { _ in for await _ in refusals { break } }
                        }
                    } catch let failure as TestFailure {
                        #expect(failure.message.hasPrefix("another test has the process-wide phone: run such tests one after another"))
                        refused.yield(failure)
                        refused.finish()
                    }
                }
            }
            try await group.waitForAll()
        }
        try await withTestPhone(isProcessWide: true) { _ in }
    }

    @Suite("A phone that several tests use", .serialized)
    struct ReuseTests {
        private static let phone = Result {
            try TestPhone(showing: TestStage(.face("maya", box: CGRect(x: 0.2, y: 0.2, width: 0.2, height: 0.4), depth: 1.5)))
        }

        @Test("starts anew for each, under an app that goes on", arguments: 1...3)
        func singleton(use: Int) async throws {
            try await withTestPhone(reusing: Self.phone.get()) { phone in
                let (camera, before) = (SharedCamera.shared, SharedCamera.shared.frames)
                #expect(!camera.session.isRunning && phone.time == .zero && phone.frameCount == 0 && phone.violations.isEmpty)
                #expect(AVCaptureDevice.authorizationStatus(for: .video) == .authorized)
                await camera.start()
                try await phone.expect(focus: "maya", within: .seconds(1))
                try phone.leave("maya")
                try await phone.expect(focus: .nothing, within: .seconds(5))
                phone.conditions.setAuthorization(.denied, for: .video)
                phone.conditions.setHorizonAngle(180)
                if use == 2 { phone.conditions.interrupt(.videoDeviceInUseByAnotherClient) }
                try await phone.until(within: .zero) { camera.frames == before + phone.frameCount }
            }
        }

        @Test("may show another stage")
        func otherStage() async throws {
            let stage = TestStage(.face("ben", box: CGRect(x: 0.6, y: 0.2, width: 0.2, height: 0.4), depth: 2))
            try await withTestPhone(reusing: Self.phone.get(), showing: stage) { phone in
                await SharedCamera.shared.start()
                try await phone.expect(focus: "ben", within: .seconds(1))
            }
        }
    }
}

@Suite("A model made before its phone")
struct EarlyModelTests {
    private let session = AVCaptureSession()
    private let output = AVCaptureVideoDataOutput()
    private let layer = AVCaptureVideoPreviewLayer()

    @Test("belongs to the first phone that it is used with")
    func early() async throws {
        try await withTestPhone { phone in
            layer.session = session
            let device = try #require(AVCaptureDevice.default(for: .video))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            session.startRunning()
            await phone.step(frames: 3)
            #expect(phone.frameCount == 3 && layer.isPreviewing)
            try await phone.expectViolation(.generic) {
                session.beginConfiguration()
                session.stopRunning()
                session.commitConfiguration()
            }
        }
        #expect(!session.isRunning)
    }

    @Test("that looked for its camera then is told why there was none")
    func looked() async throws {
        // Other tests' phones may be told at the same time; nobody watches for this one alone.
        let device = AVCaptureDevice.default(for: .video)
        #expect(device == nil)
        let failure = await thrownFailure {
            try await withTestPhone { phone in try await phone.until(within: .zero) { device != nil } }
        }
        #expect(failure?.message.hasPrefix("it did not become true within 0.0 seconds, until 0.0 seconds; no session is running") == true)
    }
}
