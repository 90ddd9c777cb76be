import AVFoundation
import CoreMedia
import Foundation
import Pipeline
import VideoDevice

extension CameraProfile {
    /// Device of a camera of this machine: a format for each of its sizes, every one cinematic, with the controls that the camera has.
    ///
    /// - Parameter wanted: the one format there is to be, at one rate; nil for all that the driver offers.
    package init(_ camera: VideoCamera, only wanted: LiveFormat? = nil) {
        let formats =
            wanted.map { [Format.live(width: $0.width, height: $0.height, rates: $0.rate...$0.rate, maxZoom: camera.greatestZoom)] }
            ?? camera.sizes.map { size in
                let rates = size.modes.map(\.frameRates)
                return Format.live(
                    width: size.width, height: size.height,
                    rates: (rates.map(\.lowerBound).min() ?? 1)...(rates.map(\.upperBound).max() ?? 1), maxZoom: camera.greatestZoom)
            }
        var hardware = Hardware()
        let abilities = camera.abilities
        hardware.isFixedFocus = !abilities.contains(.focus)
        hardware.movesLens = abilities.contains(.focus)
        hardware.zoomsLens = abilities.contains(.zoom)
        hardware.biasesExposure = false
        hardware.holdsExposure = abilities.contains(.exposure)
        hardware.holdsWhiteBalance = abilities.contains(.whiteBalance)
        hardware.setsWhiteBalanceGains = abilities.contains(.whiteBalanceGains)
        hardware.hasTorch = abilities.contains(.torch)
        self = .external(uniqueID: camera.uniqueID, name: camera.name, modelID: camera.driver, formats: formats, hardware: hardware)
    }

    /// Device of a take that is played again from its log.
    init(replaying header: DetectionLog.Header) {
        let rate = Double(header.frameDuration[1]) / Double(header.frameDuration[0])
        let format = Format.live(width: header.width, height: header.height, rates: rate...rate)
        self = .external(uniqueID: header.source, name: header.source, modelID: "replay", formats: [format], hardware: Hardware())
    }
}

extension CameraProfile.Format {
    fileprivate static func live(width: Int, height: Int, rates: ClosedRange<Double>, maxZoom: Double = 1) -> CameraProfile.Format {
        CameraProfile.Format(
            width: width, height: height, pixelFormat: "420v", frameRates: rates,
            fieldOfView: 2 * atan(18 / CameraProfile.plainFocalLength) * 180 / .pi, maxZoom: maxZoom, depthWidths: [min(width, 320)],
            cinematic: .init(aperture: 1.0...22, defaultAperture: CameraProfile.plainAperture, zoom: 1...maxZoom, frameRates: rates))
    }
}

/// Size and rate that a camera is to run at.
package struct LiveFormat: Sendable, Equatable, CustomStringConvertible {
    /// Width in pixels.
    package var width: Int
    /// Height in pixels.
    package var height: Int
    /// Frames per second.
    package var rate: Double

    package init(width: Int, height: Int, rate: Double) { (self.width, self.height, self.rate) = (width, height, rate) }

    package var description: String { "\(width)x\(height) at \(Self.text(rate)) fps" }

    static func text(_ rate: Double) -> String { rate == rate.rounded() ? String(Int(rate)) : String(format: "%.2f", rate) }
}

/// Wish for a size and a rate, as people write it: `1080p30`, `720p`, `1280x720`, `640x480@15`.
public struct LiveFormatWish: Sendable, Equatable {
    /// Width in pixels; nil for any.
    public var width: Int?
    /// Height in pixels; nil for any.
    public var height: Int?
    /// Frames per second; nil for 30, or what the camera has.
    public var rate: Double?

    /// Makes a wish for whatever suits.
    public init() {}

    /// Reads a wish; nil for what is none.
    public init?(_ text: String) {
        let number = #/(\d{2,5})(?:x(\d{2,5})(?:@(\d{1,3}(?:\.\d+)?))?|p(\d{1,3}(?:\.\d+)?)?)/#
        guard let match = text.wholeMatch(of: number), let first = Int(match.1) else { return nil }
        if let second = match.2.flatMap({ Int($0) }) { (width, height) = (first, second) } else { height = first }
        rate = (match.3 ?? match.4).flatMap { Double($0) }
        if let rate, rate < 1 { return nil }
    }

    /// Format of a camera that answers the wish: of sizes of the height the one nearest to 16:9; without a wish the largest up to 1920 × 1080 that
    /// runs at 24 frames a second, else the fastest. Throws `VideoDeviceError` with what there is.
    package func format(of camera: VideoCamera) throws(VideoDeviceError) -> LiveFormat {
        let sizes = camera.sizes.filter { (width ?? $0.width, height ?? $0.height) == ($0.width, $0.height) }
        func fastest(_ size: (width: Int, height: Int, modes: [VideoCamera.Mode])) -> Double { size.modes.map(\.frameRates.upperBound).max() ?? 0 }
        let suiting: (width: Int, height: Int, modes: [VideoCamera.Mode])? =
            height == nil
            ? sizes.first { $0.width <= 1920 && $0.height <= 1080 && fastest($0) >= 23.9 } ?? sizes.max { fastest($0) < fastest($1) }
            : sizes.min { abs(Double($0.width) / Double($0.height) - 16 / 9) < abs(Double($1.width) / Double($1.height) - 16 / 9) }
        guard let size = suiting else {
            throw VideoDeviceError(.unsupported, camera.name, "has no such format; it has \(camera.formatList.joined(separator: ", "))")
        }
        guard let rate else { return LiveFormat(width: size.width, height: size.height, rate: min(30, fastest(size))) }
        guard fastest(size) >= rate * 0.999 else {
            throw VideoDeviceError(
                .unsupported, camera.name,
                "has \(size.width)x\(size.height) at \(LiveFormat.text(fastest(size))) fps at most, not \(LiveFormat.text(rate))")
        }
        return LiveFormat(width: size.width, height: size.height, rate: rate)
    }
}

extension VideoCamera {
    /// Formats in words, a size each: `1280x720 at 30, 10 fps (MJPG, YUYV)`.
    package var formatList: [String] {
        sizes.map { size in
            let isRange = size.modes.contains(where: \.isRange)
            let rates = Set(size.modes.flatMap { $0.frameDurations.map { 1 / $0.seconds } }).sorted(by: >).map(LiveFormat.text)
            let names = size.modes.map(\.pixelFormat.description).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            return "\(size.width)x\(size.height) at \(rates.joined(separator: isRange ? " to " : ", ")) fps (\(names.joined(separator: ", ")))"
        }
    }
}
