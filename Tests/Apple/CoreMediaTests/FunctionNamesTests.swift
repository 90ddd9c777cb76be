import CoreMedia
import CoreVideo
import Foundation
import Testing

/// Functions that camera code calls by their C names: each says what the value or object itself says.
@Suite("C names of values, buffers and samples")
struct FunctionNamesTests {
    private let third = CMTime(value: 1, timescale: 3)
    private let half = CMTime(value: 1, timescale: 2)

    @Test("of times calculate as operators do")
    func times() {
        #expect(CMTimeMake(value: 1, timescale: 3) == third)
        #expect(CMTimeMakeWithSeconds(0.5, preferredTimescale: 600) == CMTime(value: 300, timescale: 600))
        #expect(CMTimeAdd(third, half) == CMTime(value: 5, timescale: 6) && CMTimeSubtract(half, third) == CMTime(value: 1, timescale: 6))
        #expect(CMTimeMaximum(third, half) == half && CMTimeMinimum(third, half) == third)
        #expect(CMTimeCopyDescription(allocator: nil, time: half) as String? == "{1/2 = 0.500}")
        #expect(CMTimeCopyDescription(allocator: nil, time: .invalid) as String? == "{INVALID}")
    }

    @Test("of ranges cut and join them")
    func ranges() {
        let one = CMTimeRangeMake(start: .zero, duration: half)
        let other = CMTimeRangeFromTimeToTime(start: third, end: CMTime(value: 1, timescale: 1))
        #expect(CMTimeRangeGetEnd(one) == half && CMTimeRangeContainsTime(one, time: third) && !CMTimeRangeContainsTime(one, time: half))
        #expect(CMTimeRangeEqual(CMTimeRangeGetUnion(one, otherRange: other), CMTimeRange(start: .zero, end: CMTime(value: 1, timescale: 1))))
        let shared = CMTimeRangeGetIntersection(one, otherRange: other)
        #expect(shared == CMTimeRange(start: third, end: half) && CMTimeRangeContainsTimeRange(one, otherRange: shared))
        #expect(!CMTimeRangeContainsTimeRange(one, otherRange: other))
    }

    /// The older name, deprecated, which a witness may call without a warning.
    private protocol Attaching {
        static func attachment(_ buffer: CVPixelBuffer, _ key: CFString, _ mode: inout CVAttachmentMode) -> AnyObject?
    }
    private enum OlderAttaching: Attaching {
        @available(*, deprecated) static func attachment(_ buffer: CVPixelBuffer, _ key: CFString, _ mode: inout CVAttachmentMode) -> AnyObject? {
            CVBufferGetAttachment(buffer, key, &mode)?.takeUnretainedValue()
        }
    }
    private func attachment<A: Attaching>(_ attaching: A.Type, _ buffer: CVPixelBuffer, _ key: String) -> (AnyObject?, CVAttachmentMode) {
        var mode = CVAttachmentMode.shouldNotPropagate
        return (A.attachment(buffer, key as CFString, &mode), mode)
    }

    @Test("an attachment that is lent lives as long as its buffer, whatever it was")
    func lent() {
        let picture = picture()
        CVBufferSetAttachment(picture, "text" as CFString, "a longer text than fits into a word", .shouldPropagate)
        let (text, mode) = attachment(OlderAttaching.self, picture, "text")
        #expect(text as? String == "a longer text than fits into a word" && mode == .shouldPropagate)
        #expect(attachment(OlderAttaching.self, picture, "text").0 === text)
        #expect(attachment(OlderAttaching.self, picture, "none").0 == nil)
    }

    private func picture() -> CVPixelBuffer { CVPixelBuffer(width: 6, height: 4, pixelFormat: kCVPixelFormatType_32BGRA) }

    @Test("of pictures tell sizes, attachments and clocks")
    func pictures() throws {
        let picture = picture()
        #expect(CVImageBufferGetEncodedSize(picture) == CGSize(width: 6, height: 4))
        #expect(CVImageBufferGetCleanRect(picture) == CGRect(x: 0, y: 0, width: 6, height: 4) && CVImageBufferIsFlipped(picture))
        var extra = [-1, -1, -1, -1]
        extra.withUnsafeMutableBufferPointer { extra in
            let first = extra.baseAddress!
            CVPixelBufferGetExtendedPixels(picture, first, first + 1, first + 2, first + 3)
        }
        #expect(extra == [0, 0, 0, 0] && CVPixelBufferFillExtendedPixels(picture) == kCVReturnSuccess)
        #expect(CVImageBufferGetColorSpace(picture) == nil)
        let space = try #require(CGColorSpace(name: CGColorSpace.displayP3))
        CVBufferSetAttachments(picture, [kCVImageBufferCGColorSpaceKey: space, "note": "two"] as NSDictionary, .shouldPropagate)
        #expect(CVImageBufferGetColorSpace(picture)?.takeUnretainedValue().name == CGColorSpace.displayP3)
        #expect(CVBufferCopyAttachment(picture, "note" as CFString, nil) as? String == "two")
        let before = CVGetCurrentHostTime()
        usleep(1000)
        #expect(Double(CVGetCurrentHostTime() - before) / CVGetHostClockFrequency() >= 0.001)
    }

    @Test("of pools free what nobody holds")
    func pools() throws {
        var made: CVPixelBufferPool?
        let attributes: NSDictionary = [
            kCVPixelBufferWidthKey: 64, kCVPixelBufferHeightKey: 64, kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA,
        ]
        CVPixelBufferPoolCreate(nil, nil, attributes, &made)
        let pool = try #require(made)
        func address() -> UnsafeMutableRawPointer? {
            var picture: CVPixelBuffer?
            CVPixelBufferPoolCreatePixelBuffer(nil, pool, &picture)
            return picture.flatMap { CVPixelBufferGetBaseAddress($0) }
        }
        let first = address()
        #expect(first != nil && address() == first)
        CVPixelBufferPoolFlush(pool, .excessBuffers)
        #expect(address() != nil)
    }

    @Test("of samples make, copy and time them")
    func samples() throws {
        let picture = picture()
        let format = CMFormatDescription(of: picture)
        #expect(CMFormatDescriptionGetMediaType(format) == kCMMediaType_Video)
        #expect(CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: picture))
        let wider = CVPixelBuffer(width: 8, height: 4, pixelFormat: kCVPixelFormatType_32BGRA)
        #expect(!CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: wider))
        #expect(CMVideoFormatDescriptionGetCleanAperture(format, originIsAtTopLeft: true) == CGRect(x: 0, y: 0, width: 6, height: 4))
        var timing = CMSampleTimingInfo(duration: third, presentationTimeStamp: half, decodeTimeStamp: .invalid)
        var made: CMSampleBuffer?
        #expect(
            CMSampleBufferCreateForImageBuffer(
                allocator: nil, imageBuffer: picture, dataReady: true, makeDataReadyCallback: nil, refcon: nil, formatDescription: format,
                sampleTiming: &timing, sampleBufferOut: &made) == noErr)
        let sample = try #require(made)
        #expect(CMSampleBufferDataIsReady(sample) && !CMSampleBufferGetDecodeTimeStamp(sample).isValid)
        #expect(try sample.sampleTimingInfo(at: 0).presentationTimeStamp == half)
        #expect(throws: (any Error).self) { try sample.sampleTimingInfo(at: 1) }
        #expect(CMSampleBufferGetOutputPresentationTimeStamp(sample) == half)
        #expect(CMSampleBufferSetOutputPresentationTimeStamp(sample, newValue: third) == noErr)
        #expect(CMSampleBufferGetOutputPresentationTimeStamp(sample) == third && sample.presentationTimeStamp == half)

        sample.attachments[.droppedFrameReason] = .shouldPropagate("late")
        var copied: CMSampleBuffer?
        #expect(CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: sample, sampleBufferOut: &copied) == noErr)
        let copy = try #require(copied)
        #expect(copy.imageBuffer === picture && copy.duration == third && copy.attachments[.droppedFrameReason]?.value as? String == "late")
        #expect(copy.outputPresentationTimeStamp == third)
        CMRemoveAllAttachments(copy)
        #expect(copy.attachments[.droppedFrameReason] == nil && sample.attachments[.droppedFrameReason] != nil)
        sample.propagateAttachments(to: copy)
        #expect(copy.attachments[.droppedFrameReason]?.value as? String == "late")
    }

    @Test("of queues tell the first buffer, whether there is one, and how long all are")
    func queues() throws {
        let picture = picture()
        let queue = try CMBufferQueue(capacity: 0, handlers: .unsortedSampleBuffers)
        #expect(CMBufferQueueIsEmpty(queue) && CMBufferQueueGetHead(queue) == nil)
        for time in [half, third] {
            let timing = CMSampleTimingInfo(duration: third, presentationTimeStamp: time, decodeTimeStamp: .invalid)
            try queue.enqueue(CMSampleBuffer(imageBuffer: picture, formatDescription: CMFormatDescription(of: picture), timing: timing))
        }
        #expect(!CMBufferQueueIsEmpty(queue) && CMBufferQueueGetHead(queue)?.presentationTimeStamp == half)
        #expect(CMBufferQueueGetDuration(queue) == CMTime(value: 2, timescale: 3))
    }

    @Test("of timebases run along their clock")
    func timebases() throws {
        var made: CMTimebase?
        #expect(CMTimebaseCreateWithSourceClock(allocator: nil, sourceClock: CMClock.hostTimeClock, timebaseOut: &made) == noErr)
        let timebase = try #require(made)
        #expect(CMTimebaseGetRate(timebase) == 0 && CMTimebaseGetTime(timebase) == .zero)
        #expect(CMTimebaseSetTime(timebase, time: half) == noErr && CMTimebaseSetRate(timebase, rate: 2) == noErr)
        usleep(1000)
        #expect(CMTimebaseGetRate(timebase) == 2 && CMTimebaseGetTime(timebase) > half)
    }

    @Test("of sound and metadata formats give what they were made of")
    func formats() throws {
        var stream = AudioStreamBasicDescription()
        (stream.mFormatID, stream.mSampleRate, stream.mChannelsPerFrame) = (kAudioFormatMPEG4AAC, 48_000, 2)
        var sound: CMAudioFormatDescription?
        let cookie: [UInt8] = [1, 2, 3]
        #expect(
            CMAudioFormatDescriptionCreate(
                allocator: nil, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 3, magicCookie: cookie, extensions: nil,
                formatDescriptionOut: &sound) == noErr)
        var size = 0
        let bytes = try #require(sound.flatMap { CMAudioFormatDescriptionGetMagicCookie($0, sizeOut: &size) })
        #expect(Array(UnsafeRawBufferPointer(start: bytes, count: size)) == cookie)
        let sizes = [1, 3].map { AudioBufferList.sizeInBytes(maximumBuffers: $0) }
        #expect(sizes[1] - sizes[0] == 2 * MemoryLayout<AudioBuffer>.stride)

        let block = try CMBlockBuffer(length: 4)
        try block.replaceDataBytes(with: [5, 6, 7, 8] as [UInt8])
        var read = [UInt8](repeating: 0, count: 4)
        try read.withUnsafeMutableBytes { try block.copyDataBytes(to: $0) }
        #expect(read == [5, 6, 7, 8])
    }

    @Test("of Core Foundation read and change its containers")
    func containers() throws {
        let (key, value) = ("key" as NSString, 7 as NSNumber)
        let dictionary: NSMutableDictionary = [key: value]
        let reference = Unmanaged.passUnretained(key).toOpaque()
        #expect(CFDictionaryGetCount(dictionary) == 1 && CFDictionaryContainsKey(dictionary, reference))
        CFDictionaryRemoveValue(dictionary, reference)
        #expect(CFDictionaryGetCount(dictionary) == 0 && !CFDictionaryContainsKey(dictionary, reference))
        #expect(CFStringGetLength("vier" as CFString) == 4 && CFBooleanGetValue(kCFBooleanTrue) && !CFBooleanGetValue(kCFBooleanFalse))
    }

    @Test("of maps and paths come one after the other")
    func maps() throws {
        let moved = CGAffineTransform(translationX: 3, y: 0)
        #expect(CGPoint(x: 1, y: 1).applying(moved.concatenating(CGAffineTransform(scaleX: 2, y: 5))) == CGPoint(x: 8, y: 5))
        #expect(CGPoint(x: 1, y: 1).applying(moved.scaledBy(x: 2, y: 5)) == CGPoint(x: 5, y: 5))

        let path = CGMutablePath()
        path.addRects([CGRect(x: 0, y: 0, width: 2, height: 2), CGRect(x: 8, y: 0, width: 2, height: 2)])
        path.addRoundedRect(in: CGRect(x: 20, y: 0, width: 10, height: 10), cornerWidth: 4, cornerHeight: 4)
        let whole = CGMutablePath()
        whole.addPath(path, transform: moved)
        #expect(whole.boundingBoxOfPath == CGRect(x: 3, y: 0, width: 30, height: 10))
        func has(_ x: CGFloat, _ y: CGFloat) -> Bool { whole.contains(CGPoint(x: x, y: y)) }
        #expect(has(4, 1) && !has(7, 1) && has(12, 1) && has(28, 5) && !has(23.5, 0.5) && has(28, 0.5))

        let space = CGColorSpaceCreateDeviceGray()
        let context = try #require(
            CGContext(
                data: nil, width: 8, height: 8, bitsPerComponent: 8, bytesPerRow: 8, space: space, bitmapInfo: CGImageAlphaInfo.none.rawValue))
        context.setFillColor(gray: 1, alpha: 1)
        context.concatenate(CGAffineTransform(scaleX: 2, y: 2))
        context.addRect(CGRect(x: 0, y: 0, width: 4, height: 4))
        context.beginPath()
        context.move(to: CGPoint(x: 1, y: 1))
        for corner in [CGPoint(x: 3, y: 1), CGPoint(x: 3, y: 3), CGPoint(x: 1, y: 3)] { context.addLine(to: corner) }
        context.closePath()
        context.addPath(CGPath(rect: CGRect(x: 0, y: 0, width: 0.5, height: 0.5), transform: nil))
        context.fillPath()
        let codes = try #require(context.data).assumingMemoryBound(to: UInt8.self)
        func code(_ x: Int, _ y: Int) -> UInt8 { codes[(7 - y) * 8 + x] }
        #expect(code(0, 0) == 255 && code(1, 1) == 0 && code(2, 2) == 255 && code(5, 5) == 255 && code(6, 6) == 0)
    }
}
