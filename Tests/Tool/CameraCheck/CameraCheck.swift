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
///     camera-check hold CAMERA WxH@RATE SECONDS      the same with exposure held at SECONDS, which the camera reports
///
/// Ends with 69 and a message when the camera fails.
@main
enum CameraCheck {
    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            print("error: \(error)")
            exit(69)
        }
    }

    private static func run(_ words: [String]) throws {
        guard words.count == 4, let format = Format(words[2]), let number = Double(words[3]) else { return list() }
        let camera = try VideoCamera.find(words[1])
        let source = try CameraSource(camera, width: format.width, height: format.height, frameDuration: format.frameDuration)
        defer { source.close() }
        let isHeld = words[0] == "hold"
        if isHeld {
            var settings = CameraSettings()
            settings.metering = .manual(duration: number, iso: 200)
            source.adjust(settings)
        }
        var (hashes, times, last): (Set<String>, [CMTime], Frame?) = ([], [], nil)
        var failure: (any Error)?
        do {
            for _ in 0..<(isHeld ? 20 : Int(number)) {
                guard let frame = try source.nextFrame() else { break }
                times.append(frame.presentationTime)
                last = frame
                hashes.insert(hash(frame.image))
            }
        } catch {
            failure = error
        }
        let figures = source.figures
        print("\(source.mode.pixelFormat) \(format.width)x\(format.height) at \(source.description.frameDuration.rateText) fps")
        print("frames \(figures.frames) dropped \(figures.dropped) damaged \(figures.damaged) restarts \(figures.restarts)")
        print("times increase: \(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })")
        if hashes.count == 1, let hash = hashes.first { print("every picture: \(hash)") } else { print("different pictures: \(hashes.count)") }
        if isHeld { print("exposure: \(last?.exposure.map { "\($0.duration) s, ISO \(Int($0.iso.rounded()))" } ?? "unknown")") }
        if let failure { throw failure }
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

    private static func hash(_ picture: CVPixelBuffer) -> String {
        var bytes: [UInt8] = []
        for number in 0..<2 {
            let plane = picture.plane(number)
            for y in 0..<plane.height { bytes += UnsafeBufferPointer(start: plane.row(y, as: UInt8.self), count: CVPixelBufferGetWidth(picture)) }
        }
        return SHA256.hexadecimal(bytes)
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
