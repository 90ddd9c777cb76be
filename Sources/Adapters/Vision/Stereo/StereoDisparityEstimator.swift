import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// Measures disparity from a rectified pair: `frame.image` is the left picture, `frame.rightImage` the right.
///
/// A match that is n pixels apart in a picture w pixels wide becomes `scale · n/w + offset`. With the pair's geometry known the unit is 1/m;
/// `scale` is then 1 / (focal length in picture widths · baseline in metres).
///
/// The disparities searched are those that a coarse match finds, at most 256 pixels of the matched picture; in a scene that spans more, the nearest
/// things have the coarse match's disparities, and `remarks` say so.
///
/// A lens that is covered on the way leaves the last map standing; a pair that cannot be one from its first frame on is an error.
public final class StereoDisparityEstimator: DisparityEstimator {
    /// Geometry of the pair, and sizes and purpose of the matching.
    public struct Parameters: Sendable, Equatable {
        /// Disparity of a shift of one picture width. Default: an assumed pair of 26 mm lenses (full-frame equivalent), 65 mm apart.
        public var scale = 1 / (26.0 / 36 * 0.065)
        /// Whether `scale` is known, so that disparity is in 1/m.
        public var isMetric = false
        /// Added after scaling, 1/m; for pairs whose zero parallax is not at infinity.
        public var offset = 0.0
        /// Width of the widest picture that is matched, in pixels, and of its map.
        public var matchWidth = 480
        /// Frames for each look at the range of disparities.
        public var framesPerLook = 1
        /// Use of the map: for the lens with its holes filled, or for medians over boxes.
        public var purpose = DisparityRefiner.Purpose.lens
        /// The most that is kept of the previous frames where the picture stands still, 0…1; 0 for stills.
        public var persistence = 0.8

        /// Creates the parameters of an assumed pair of 26 mm lenses, relative disparity.
        public init() {}

        /// For medians over boxes: matched at two thirds of the width, which takes half of the time and moves a median by .1 pixels of a picture of 1920
        /// (six pairs of Middlebury's, boxes of 4 to 16 % of the width).
        public static let boxes: Parameters = {
            var parameters = Parameters()
            parameters.purpose = .boxes
            parameters.matchWidth = 320
            parameters.framesPerLook = 4
            return parameters
        }()

        /// Geometry that is known: focal length in picture widths (26 mm equivalent is 26/36), baseline in metres.
        public init(focalLength: Double, baseline: Double) {
            scale = 1 / (focalLength * baseline)
            isMetric = true
        }
    }

    /// Parameters the estimator was made with.
    public let parameters: Parameters
    private let calibration: StereoCalibration?
    private let refiner: DisparityRefiner
    private let state: Mutex<State>
    /// Pairs whose maps are to come.
    private let prepared = Mutex<[Match]>([])
    private let last = Mutex(Last())

    /// The shot that is refined, and its last map.
    private struct Last {
        var shot: Int?
        var map: DisparityMap?
        /// Frames with something nearer than the range, and the first of them.
        var deeper: (count: Int, first: Int)?
    }

    /// A matched pair.
    private struct Match {
        let time: CMTime
        let left: Raster
        /// Nil where the left or right eye, whose name `blind` is, shows nothing.
        let measured: MeasuredDisparity?
        let blind: String?
        /// Whether something is nearer than the range.
        let isDeeper: Bool
    }

    /// Everything kept between frames that are matched.
    private struct State {
        var matcher = StereoMatcher()
        var coarseMatcher = StereoMatcher()
        var coarse: CoarseMatch?
        var range = DisparityRange()
        /// Frames of the shot.
        var frames = 0
        var rectifier: StereoRectifier?
        var shot: Int?
        /// Whether left and right are known not to be swapped.
        var isChecked = false

        /// Forgets the frames of another shot.
        mutating func begin(_ shot: Int?) {
            (matcher, coarseMatcher, coarse, range) = (StereoMatcher(), StereoMatcher(), nil, DisparityRange())
            frames = 0
            self.shot = shot
        }
    }

    /// A pair whose rows match, or one as its cameras took it, with their `calibration`: then disparity is in 1/m whatever `scale` says.
    public init(parameters: Parameters = Parameters(), calibration: StereoCalibration? = nil) {
        self.parameters = parameters
        self.calibration = calibration
        refiner = DisparityRefiner(persistence: parameters.persistence, purpose: parameters.purpose, isMatched: true)
        state = Mutex(State())
    }

    /// Matches a frame's pictures; throws `VisionError` when the right one is missing or of another size.
    public func prepare(_ frame: Frame) throws {
        let match = try state.withLock { state throws(VisionError) in try self.match(frame, &state) }
        prepared.withLock { $0.append(match) }
    }

    /// Disparity of a frame that brings both pictures; throws `VisionError` when the right one is missing or of another size.
    public func disparity(of frame: Frame) throws -> DisparityMap {
        let ahead = prepared.withLock { $0.first?.time == frame.presentationTime ? $0.removeFirst() : nil }
        let match = try ahead ?? state.withLock { state throws(VisionError) in try self.match(frame, &state) }
        return try last.withLock { last throws(VisionError) in
            if frame.shot != last.shot {
                refiner.forget()
                (last.shot, last.map) = (frame.shot, nil)
            }
            if match.isDeeper { last.deeper = ((last.deeper?.count ?? 0) + 1, last.deeper?.first ?? frame.index) }
            guard let measured = match.measured else {
                guard let map = last.map else {
                    throw Self.error("the \(match.blind ?? "") eye shows nothing in frame \(frame.index); is its lens covered?")
                }
                return map
            }
            let map = refiner.refine(measured, along: match.left).map
            last.map = map
            return map
        }
    }

    private func match(_ frame: Frame, _ state: inout State) throws(VisionError) -> Match {
        guard let right = frame.rightImage else { throw Self.error("frame \(frame.index) has no right eye") }
        guard right.size == frame.image.size else {
            throw Self.error("the left eye is \(frame.image.sizeText), the right eye \(right.sizeText); both must have one size")
        }
        let left = try luma(frame.image, width: parameters.matchWidth)
        let other = try luma(right, width: parameters.matchWidth)
        if frame.shot != state.shot { state.begin(frame.shot) }
        let blind = Self.coveredEye(left, other)
        let (measured, isDeeper) = blind == nil ? try measure(left, other, &state) : (nil, false)
        return Match(time: frame.presentationTime, left: left, measured: measured, blind: blind, isDeeper: isDeeper)
    }

    /// Disparity of two pictures, and whether something is nearer than the range.
    private func measure(_ left: Raster, _ right: Raster, _ state: inout State) throws(VisionError) -> (MeasuredDisparity, isDeeper: Bool) {
        let rectifier = try rectifier(for: left, &state)
        let (first, second) = (try rectifier?.level(left, isRight: false) ?? left, try rectifier?.level(right, isRight: true) ?? right)
        let keep = parameters.persistence
        if state.frames % parameters.framesPerLook == 0 {
            let coarse = try CoarseMatch(first, second, with: state.coarseMatcher, keep: keep)
            state.range.fit(coarse.found, tolerance: coarse.scale)
            state.coarse = coarse
        }
        state.frames += 1
        let range = state.range.searched
        var (values, trust) = state.matcher.match(first, second, range: range, keep: keep)
        let isFirst = !state.isChecked
        state.isChecked = true
        if isFirst, Self.share(trust) < 0.25 {
            // Levelled the other way round where it has to be levelled.
            let others = (try rectifier?.level(right, isRight: false) ?? right, try rectifier?.level(left, isRight: true) ?? left)
            try refuseSwapped(others, share: Self.share(trust))
        }
        let isDeeper = state.coarse?.bringNearest(from: range.upperBound, to: &values, &trust, width: left.width, height: left.height) ?? false
        if let rectifier {
            values = try rectifier.restore(values)
            trust = try rectifier.restore(trust)
        }
        let scale = Float(rectifier.map { 1 / ($0.focalLength * calibration!.baseline) } ?? parameters.scale / Double(left.width))
        let offset = Float(parameters.offset)
        values.withUnsafeMutableBufferPointer { for i in $0.indices { $0[i] = max($0[i] * scale + offset, 0) } }
        let measured = MeasuredDisparity(
            width: left.width, height: left.height, values: values, trust: trust, isMetric: calibration != nil || parameters.isMetric)
        return (measured, isDeeper)
    }

    /// Frames whose disparities span more than is searched; empty without any.
    public var remarks: [String] {
        guard let deeper = last.withLock({ $0.deeper }) else { return [] }
        return [
            "in \(deeper.count.counted("frame")), first \(deeper.first), disparities span more than the \(StereoMatcher.most) pixels that are searched: "
                + "the nearest things are measured coarsely; cameras closer together, or farther from them, measure them well"
        ]
    }

    /// Rectification for pictures of this size; nil for a pair that is rectified already.
    private func rectifier(for picture: Raster, _ state: inout State) throws(VisionError) -> StereoRectifier? {
        guard let calibration else { return nil }
        if let ready = state.rectifier, ready.width == picture.width, ready.height == picture.height { return ready }
        let (shape, own) = (Double(picture.width) / Double(picture.height), Double(calibration.width) / Double(calibration.height))
        guard abs(shape / own - 1) < 0.02 else {
            throw Self.error("the calibration is for pictures of \(calibration.width)x\(calibration.height); these have another aspect")
        }
        state.rectifier = try StereoRectifier(calibration, width: picture.width, height: picture.height)
        return state.rectifier
    }

    /// A pair that fits better the other way round is given the wrong way round.
    private func refuseSwapped(_ others: (Raster, Raster), share: Double) throws(VisionError) {
        var range = DisparityRange()
        let coarse = try CoarseMatch(others.0, others.1, with: StereoMatcher(), keep: 0)
        range.fit(coarse.found, tolerance: coarse.scale)
        let swapped = StereoMatcher().match(others.0, others.1, range: range.searched, keep: 0)
        guard Self.share(swapped.trust) > max(3 * share, 0.4) else { return }
        throw Self.error("the eyes are swapped: what is given as the right eye was taken from the left")
    }

    /// Name of the picture that shows nothing while the other shows something; nil when neither or both do.
    private static func coveredEye(_ left: Raster, _ right: Raster) -> String? {
        let (a, b) = (left.deviation, right.deviation)
        let (nothing, something) = (2.5, 7.5)
        if a < nothing, b > something { return "left" }
        return b < nothing && a > something ? "right" : nil
    }

    private static func share(_ trust: [Float]) -> Double { Double(trust.reduce(0, +)) / Double(trust.count) }

    /// The luma at no more than `width`, the same aspect.
    private func luma(_ buffer: CVPixelBuffer, width limit: Int) throws(VisionError) -> Raster {
        let (w, h) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        let width = min(limit, w)
        return try Raster(lumaOf: buffer, width: width, height: max(1, Int((Double(h) * Double(width) / Double(w)).rounded())))
    }

    private static func error(_ underlying: String) -> VisionError {
        VisionError(code: .picture, operation: "matching a stereo pair", underlying: underlying)
    }
}

extension CVPixelBuffer {
    fileprivate var sizeText: String { "\(CVPixelBufferGetWidth(self))x\(CVPixelBufferGetHeight(self))" }
}
