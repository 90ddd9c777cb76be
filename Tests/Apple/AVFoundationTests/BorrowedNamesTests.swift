import AVFoundation
import ClientApp
import CoreGraphics
import Foundation
import TestSupport
import Testing
import os

@Suite("What an app takes from other modules")
struct BorrowedNamesTests {
    @Test("is there and does what it says")
    func names() throws {
        #expect(BorrowedNames.makeBuffer(width: 16, height: 8).map(CVPixelBufferGetHeight) == 8)
        #expect(BorrowedNames.zoom(NSNumber(value: 2.5)) == 2.5)
        #expect(BorrowedNames.nanoseconds(0.5) == 500_000_000)
        #expect(BorrowedNames.movieURL("a.mov").lastPathComponent == "a.mov")
        #expect(try BorrowedNames.freeSpace(at: URL(fileURLWithPath: "/")) ?? 0 > 0)
        #expect(BorrowedNames.isFine(0))
    }

    @Test("affine maps compose from right to left, and back")
    func transforms() {
        let turned = BorrowedNames.upright(CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.1), turned: .pi / 2)
        #expect(abs(turned.minX - 0.7) < 1e-9 && abs(turned.minY - 0.1) < 1e-9 && abs(turned.width - 0.1) < 1e-9)
        let map = CGAffineTransform(scaleX: 2, y: 3).translatedBy(x: 5, y: 7).rotated(by: 0.3)
        let point = CGPoint(x: 0.25, y: -4)
        let back = point.applying(map).applying(map.inverted())
        #expect(abs(back.x - point.x) < 1e-9 && abs(back.y - point.y) < 1e-9 && !map.isIdentity)
        #expect(CGPoint(x: 1, y: 1).applying(CGAffineTransform(scaleX: 2, y: 2).translatedBy(x: 3, y: 0)) == CGPoint(x: 8, y: 2))
        #expect(CGSize(width: 1, height: 2).applying(CGAffineTransform(translationX: 9, y: 9)) == CGSize(width: 1, height: 2))
    }

    @Test("a logger writes what matters, in one line, and keeps quiet about the rest")
    func logger() {
        let logger = Logger(subsystem: "app", category: "camera")
        #expect(logger.line(level: .error, "lost \(3, privacy: .public) frames") == "app camera error: lost 3 frames\n")
        #expect(logger.line(level: .default, "ready") == "app camera ready\n" && logger.line(level: .debug, "x") == nil)
        let formatted: OSLogMessage =
            "\(-7, format: .decimal(minDigits: 3)) \(255, format: .hex(includePrefix: true)) \(1.25, format: .fixed(precision: 1))|\(3, align: .right(columns: 3))|"
        #expect(formatted.text == "-007 0xff 1.2|  3|")
        let signposter = OSSignposter(subsystem: "app", category: .pointsOfInterest)
        let interval = signposter.beginInterval("work", id: signposter.makeSignpostID())
        signposter.endInterval("work", interval)
        #expect(!signposter.isEnabled && signposter.withIntervalSignpost("answer") { 42 } == 42)
        let lock = OSAllocatedUnfairLock(initialState: 1)
        #expect(
            lock.withLock {
                $0 += 1; return $0
            } == 2)
        #expect(lock.withLockIfAvailable { $0 } == 2 && lock.withLock { _ in lock.withLockIfAvailable { $0 } } == nil)
        #expect(lock.withLockUnchecked { $0 } == 2 && lock.withLockIfAvailableUnchecked { $0 } == 2)
        let bare = OSAllocatedUnfairLock()
        #expect(bare.lockIfAvailable() && !bare.lockIfAvailable() && bare.withLockIfAvailable { 1 } == nil)
        bare.unlock()
        #expect(bare.withLockIfAvailable { 1 } == 1)
    }
}

@Suite("A display layer")
struct DisplayLayerTests {
    private func sample(_ time: CMTime, luma: UInt8) -> CMSampleBuffer {
        let image = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA)
        image.plane(0).row(0, as: UInt8.self)[0] = luma
        let timing = CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid)
        return CMSampleBuffer(imageBuffer: image, formatDescription: CMFormatDescription(of: image), timing: timing)
    }

    private func shown(_ layer: AVSampleBufferDisplayLayer) -> UInt8? {
        layer.sampleBufferRenderer.copyDisplayedPixelBuffer()?.plane(0).row(0, as: UInt8.self)[0]
    }

    @Test("shows late pictures at once, and says so")
    func late() {
        let layer = AVSampleBufferDisplayLayer()
        #expect(layer.sampleBufferRenderer.status == .unknown && shown(layer) == nil && !layer.isReadyForDisplay)
        for index in 0..<20 {
            layer.sampleBufferRenderer.enqueue(sample(CMTime(value: Int64(index), timescale: 30), luma: UInt8(index)))
            #expect(shown(layer) == UInt8(index) && layer.isReadyForMoreMediaData)
        }
        #expect(layer.status == .rendering && layer.error == nil && layer.isReadyForDisplay)
        layer.flush()
        #expect(shown(layer) == 19)
        layer.flushAndRemoveImage()
        #expect(shown(layer) == nil)
    }

    @Test("keeps pictures until their time by a timebase of the app's, as many as there is room for")
    func timed() throws {
        let layer = AVSampleBufferDisplayLayer()
        let timebase = try CMTimebase(sourceClock: .hostTimeClock)
        layer.controlTimebase = timebase
        #expect(layer.timebase === timebase)
        for index in [2, 1, 3, 4, 5, 6, 7, 8] {
            #expect(layer.isReadyForMoreMediaData)
            layer.enqueue(sample(CMTime(value: Int64(index), timescale: 30), luma: UInt8(index)))
        }
        #expect(!layer.isReadyForMoreMediaData && shown(layer) == nil)
        try timebase.setTime(CMTime(value: 2, timescale: 30))
        #expect(shown(layer) == 2 && layer.isReadyForMoreMediaData)
        let urgent = sample(CMTime(value: 99, timescale: 1), luma: 99)
        urgent.sampleAttachments[0][.displayImmediately] = true
        layer.enqueue(urgent)
        #expect(shown(layer) == 99)
    }

    @Test("asks for pictures while there is room, until it is told to stop")
    func requests() throws {
        let layer = AVSampleBufferDisplayLayer()
        layer.controlTimebase = try CMTimebase(sourceClock: .hostTimeClock)
        let (queue, full) = (DispatchQueue(label: "pictures"), DispatchSemaphore(value: 0))
        layer.requestMediaDataWhenReady(on: queue) { [self] in
            while layer.isReadyForMoreMediaData { layer.enqueue(sample(CMTime(value: 1, timescale: 1), luma: 1)) }
            layer.stopRequestingMediaData()
            full.signal()
        }
        #expect(full.wait(timeout: .now() + patience) == .success)
        #expect(!layer.isReadyForMoreMediaData)
    }
}
