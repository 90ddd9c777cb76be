import AVFoundation
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite("Late frames under the wall clock")
struct LateFramesTests {
    /// A client that returns when its source has given some more frames, or gives none any more; keeps which came, which did not, and why.
    private final class SlowClient: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
        struct Seen {
            var got: [Int64] = []
            var lost: [Int64] = []
            var reasons: Set<String> = []
            var held: [CVPixelBuffer] = []
        }

        private struct Weak {
            weak var buffer: CVPixelBuffer?
        }

        let seen = Mutex(Seen())
        private let pictures = Mutex<[Weak]>([])
        let source: CountingSource
        private let frames: Int
        private let keeps: Bool
        private let isEnough: @Sendable (Seen) -> Bool
        let enough = DispatchSemaphore(value: 0)

        init(
            of source: CountingSource = CountingSource(count: 100_000), dwelling frames: Int = 0, keeps: Bool = false,
            until isEnough: @escaping @Sendable (Seen) -> Bool
        ) {
            (self.source, self.frames, self.keeps, self.isEnough) = (source, frames, keeps, isEnough)
        }

        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            let later = source.given + frames
            _ = eventually(within: 0.3) { source.given >= later }
            if let image = sampleBuffer.imageBuffer { pictures.withLock { $0.append(Weak(buffer: image)) } }
            note { seen in
                seen.got.append(sampleBuffer.presentationTimeStamp.value)
                if keeps, let image = sampleBuffer.imageBuffer { seen.held.append(image) }
            }
        }

        func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            let reason = CMGetAttachment(sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
            note { seen in
                seen.lost.append(sampleBuffer.presentationTimeStamp.value)
                if let reason = reason as? String { seen.reasons.insert(reason) }
            }
        }

        private func note(_ change: (inout Seen) -> Void) {
            let isDone = seen.withLock { seen in
                change(&seen)
                return isEnough(seen)
            }
            if isDone { enough.signal() }
        }

        /// Pictures that somebody still holds.
        var livePictures: Int { pictures.withLock { $0.count { $0.buffer != nil } } }
    }

    private func run(_ client: SlowClient, discardsLate: Bool = true, _ set: (inout CaptureEnvironment) -> Void = { _ in }) throws -> SlowClient.Seen
    {
        var environment = fakeEnvironment(source: client.source)
        environment.clock = .wall
        set(&environment)
        return try inEnvironment(environment) {
            let app = try CameraApp()
            app.videoOutput.alwaysDiscardsLateVideoFrames = discardsLate
            app.videoOutput.setSampleBufferDelegate(client, queue: DispatchQueue(label: "slow client"))
            app.session.startRunning()
            try #require(client.enough.wait(timeout: .now() + patience) == .success)
            app.session.stopRunning()
            return client.seen.withLock { $0 }
        }
    }

    @Test("a client that takes three frames loses what comes meanwhile as late, hears of each in turn, and memory stays")
    func late() throws {
        let client = SlowClient(dwelling: 3) { $0.got.count >= 4 && $0.lost.count >= 4 }
        let seen = try run(client)
        #expect(seen.reasons == [kCMSampleBufferDroppedFrameReason_FrameWasLate as String])
        #expect(seen.got == seen.got.sorted() && seen.lost == seen.lost.sorted())
        // Nobody is told twice or forgotten, up to the last frame taken.
        let all = (seen.got + seen.lost).sorted().filter { $0 <= seen.got.last! }
        #expect(all == Array(0...seen.got.last!))
        #expect(client.livePictures <= 8)
    }

    @Test("where late frames are kept, the first six come whatever happens, and the queue grows no further")
    func kept() throws {
        let client = SlowClient(dwelling: 3) { $0.got.count >= 7 && !$0.lost.isEmpty }
        let seen = try run(client, discardsLate: false)
        #expect(seen.got.prefix(6) == [0, 1, 2, 3, 4, 5])
        #expect(seen.lost.first! >= 6 && seen.reasons == [kCMSampleBufferDroppedFrameReason_FrameWasLate as String])
        #expect(client.livePictures <= 8)
    }

    @Test("a client that holds its pictures is out of buffers")
    func outOfBuffers() throws {
        let client = SlowClient(keeps: true) { $0.reasons.contains(kCMSampleBufferDroppedFrameReason_OutOfBuffers as String) }
        let seen = try run(client) { $0.videoBufferLimit = 3 }
        #expect(seen.held.count == 3 && seen.got.count == 3)
    }

    @Test("a slow metadata delegate holds nobody up, and a session stops at once")
    func metadata() throws {
        var environment = fakeEnvironment(source: CountingSource(count: 100_000))
        environment.clock = .wall
        try inEnvironment(environment) {
            let app = try CameraApp()
            let gate = DispatchSemaphore(value: 0)
            app.onMetadata = { _ in gate.wait() }
            let client = SlowClient { _ in true }
            app.metadataOutput.setMetadataObjectsDelegate(app, queue: DispatchQueue(label: "stuck"))
            app.videoOutput.setSampleBufferDelegate(client, queue: app.queue)
            app.session.startRunning()
            for _ in 0..<5 { #expect(client.enough.wait(timeout: .now() + patience) == .success) }
            #expect(eventually { !app.metadata.isEmpty })
            app.session.stopRunning()
            #expect(!app.session.isRunning)
            for _ in 0..<10 { gate.signal() }
        }
    }
}
