import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import VideoDevice

/// Capture without anything behind it, for the tests on the kernel's own cameras, where a processor is emulated.
///
///     camera-check list                              identifier, driver, formats of each camera
///     camera-check stream CAMERA WxH@RATE FRAMES     frames, losses, restarts, and the hash of the pictures where all are the same
///     camera-check hold CAMERA WxH@RATE SECONDS [zoom=F] [lens=P] [kelvin=T]
///                                                    the same with exposure held at SECONDS, which the camera reports, and the lens and white balance
///     camera-check pair LEFT RIGHT WxH@RATE PAIRS    frames of two cameras by their times: pairs, clocks, and what had no partner
///     camera-check sink DEVICE WxH@RATE FRAMES       grey pictures, each lighter, into an output device
///     camera-check sound NAME CHANNELS SECONDS       sound of an ALSA device: its channels and its level
/// CAMERA_DUMP=FILE keeps the last picture's bytes. Ends with 69 and a message when the camera fails.
@main
enum CameraCheck {
    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            print("error: \(error)")
            exit(69)
        }
    }

    private static func run(_ words: [String]) throws {
        if words.count == 4, words[0] == "sound" { return try listen(words[1], Int(words[2]) ?? 1, seconds: Double(words[3]) ?? 1) }
        if words.count == 5, words[0] == "pair", let format = Format(words[3]) { return try pair(words[1], words[2], format, Int(words[4]) ?? 1) }
        guard words.count >= 4, let format = Format(words[2]), let number = Double(words[3]) else { return list() }
        if words[0] == "sink" { return try show(in: words[1], format, Int(number)) }
        let camera = try VideoCamera.find(words[1])
        let source = try CameraSource(camera, width: format.width, height: format.height, frameDuration: format.frameDuration)
        defer { source.close() }
        let isHeld = words[0] == "hold"
        if isHeld {
            var settings = CameraSettings()
            settings.metering = .manual(duration: number, iso: 200)
            for word in words.dropFirst(4) {
                let (name, value) = (word.prefix { $0 != "=" }, Double(word.drop { $0 != "=" }.dropFirst()) ?? 1)
                switch name {
                case "zoom": settings.zoom = value
                case "lens": settings.lensPosition = value
                default: (settings.isWhiteBalanceHeld, settings.temperature, settings.gains) = (true, value, SIMD3(1, 1, 2))
                }
            }
            source.adjust(settings)
        }
        var (hashes, times, last): (Set<String>, [CMTime], Frame?) = ([], [], nil)
        var failure: (any Error)?
        do {
            for _ in 0..<(isHeld ? (words.count > 4 ? 60 : 20) : Int(number)) {
                guard let frame = try source.nextFrame() else { break }
                times.append(frame.presentationTime)
                last = frame
                hashes.insert(SHA256.hexadecimal(bytes(frame.image)))
            }
        } catch {
            failure = error
        }
        if let path = ProcessInfo.processInfo.environment["CAMERA_DUMP"], let last {
            try Data(bytes(last.image)).write(to: URL(fileURLWithPath: path))
        }
        let figures = source.figures
        print("\(source.mode.pixelFormat) \(format.width)x\(format.height) at \(source.description.frameDuration.rateText) fps")
        print("frames \(figures.frames) dropped \(figures.dropped) damaged \(figures.damaged) restarts \(figures.restarts)")
        print("times increase: \(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })")
        if hashes.count == 1, let hash = hashes.first { print("every picture: \(hash)") } else { print("different pictures: \(hashes.count)") }
        if isHeld { print("exposure: \(last?.exposure.map { "\($0.duration) s, ISO \(Int($0.iso.rounded()))" } ?? "unknown")") }
        if let failure { throw failure }
    }

    private static func pair(_ left: String, _ right: String, _ format: Format, _ pairs: Int) throws {
        func open(_ name: String) throws -> CameraSource {
            try CameraSource(try VideoCamera.find(name), width: format.width, height: format.height, frameDuration: format.frameDuration)
        }
        let pair = try PairedCameraSource(open(left), with: open(right))
        defer { pair.close() }
        var eyes = 0
        while pair.figures.frames < pairs, let frame = try pair.nextFrame() { eyes += frame.rightImage == nil ? 0 : 1 }
        print("pairs \(pair.figures.frames) with both eyes \(eyes)")
        for remark in pair.remarks { print(remark) }
    }

    private static func show(in path: String, _ format: Format, _ frames: Int) throws {
        let sink = try VideoSink(path, width: format.width, height: format.height, frameDuration: format.frameDuration)
        let pool = CVPixelBufferPool(width: format.width, height: format.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        while sink.figures.frames < frames {
            let picture = pool.makeBuffer()
            for number in 0..<2 {
                let plane = picture.plane(number)
                let value = number == 0 ? UInt8(16 + sink.figures.frames * 4 % 200) : 128
                for y in 0..<plane.height { memset(plane.row(y, as: UInt8.self), Int32(value), format.width) }
            }
            try sink.write(picture, at: CMTime(value: KernelVideo().now, timescale: 1_000_000_000))
            Thread.sleep(forTimeInterval: format.frameDuration.seconds)
        }
        print("shown \(sink.figures.frames) dropped \(sink.figures.dropped) \(sink.pixelFormat)")
    }

    private static func listen(_ name: String, _ channels: Int, seconds: Double) throws {
        let layout: Sound.Layout = channels == 4 ? .firstOrderAmbisonics : channels == 2 ? .stereo : .mono
        let begin = KernelVideo().now + 500_000_000
        let source = try MicrophoneSource(name, layout: layout) { begin }
        Thread.sleep(forTimeInterval: 0.5)
        let count = Int64(seconds * Double(source.sampleRate))
        var loudest = [Float](repeating: 0, count: channels)
        for start in stride(from: 0, to: count, by: 1600) {
            let sound = try source.sound(of: start..<start + 1600)
            for (index, sample) in sound.samples.enumerated() { loudest[index % channels] = max(loudest[index % channels], abs(sample)) }
        }
        let heard = loudest.count { $0 > 0.01 }
        print("sound: \(channels) channels, \(heard) heard; \(source.remarks.joined())")
    }

    private static func list() {
        for camera in VideoCamera.all() {
            print("\(camera.uniqueID) | \(camera.name) | \(camera.driver) | \(camera.path)")
            if let problem = camera.problem { print("  \(problem)") }
            for size in camera.sizes {
                let modes = size.modes.map {
                    "\($0.pixelFormat) \(Int($0.frameRates.lowerBound.rounded()))-\(Int($0.frameRates.upperBound.rounded()))"
                }
                print("  \(size.width)x\(size.height): \(modes.joined(separator: ", "))")
            }
        }
    }

    private static func bytes(_ picture: CVPixelBuffer) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in 0..<2 {
            let plane = picture.plane(number)
            for y in 0..<plane.height { bytes += UnsafeBufferPointer(start: plane.row(y, as: UInt8.self), count: CVPixelBufferGetWidth(picture)) }
        }
        return bytes
    }

    private struct Format {
        let width: Int
        let height: Int
        let frameDuration: CMTime

        init?(_ text: String) {
            let numbers = text.split(whereSeparator: { "x@".contains($0) }).compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            (width, height, frameDuration) = (numbers[0], numbers[1], CMTime(value: 1, timescale: Int32(numbers[2])))
        }
    }
}
