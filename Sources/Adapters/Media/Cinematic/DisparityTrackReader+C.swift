internal import CFFmpeg
import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Reader of a cinematic movie's disparity track, in order of time.
final class DisparityTrackReader {
    /// Map at a time.
    enum Found {
        case map(DisparityMap)
        /// Maps come only later.
        case later
        /// No map comes any more.
        case end
    }

    private let decoder: VideoDecoder
    private let orientation: Orientation
    private let pictureStart: CMTime
    private var pending: (frame: FFmpegFrame, time: CMTime)?
    private var isOver = false

    /// - Parameters:
    ///   - orientation: that of the pictures, with which maps are turned upright.
    ///   - start: time of the first picture after the container's zero.
    init(path: String, orientation: Orientation, start: CMTime) throws(MediaError) {
        decoder = try VideoDecoder(path: path, threads: 1, .marked(.disparity))
        self.orientation = orientation
        pictureStart = start
    }

    /// The map nearest to a time, within a distance of it; earlier ones are passed over.
    func map(at time: CMTime, within distance: CMTime, _ coding: DisparityCoding) throws(MediaError) -> Found {
        while let next = try peek() {
            if next.time > time + distance { return .later }
            pending = nil
            // At a variable rate several may lie within half of the average.
            let isNearest = try peek().map { CMTimeAbsoluteValue($0.time - time) >= CMTimeAbsoluteValue(next.time - time) } ?? true
            if isNearest, next.time >= time - distance { return .map(try map(next.frame, coding)) }
        }
        return .end
    }

    /// Passes over the maps before a time; each is decoded by itself.
    func seek(to time: CMTime) {
        guard let ticks = decoder.timeBase.ticks(time + pictureStart), decoder.seek(to: ticks) else { return }
        (pending, isOver) = (nil, false)
    }

    private func peek() throws(MediaError) -> (frame: FFmpegFrame, time: CMTime)? {
        if pending == nil, !isOver {
            guard let frame = try decoder.next() else {
                isOver = true
                return nil
            }
            guard let time = frame.timestamp.flatMap({ decoder.timeBase.time($0) }) else {
                throw MediaError(code: .corrupt, path: decoder.path, reason: "is damaged: a disparity map has no time")
            }
            pending = (frame, time - pictureStart)
        }
        return pending
    }

    private func map(_ frame: FFmpegFrame, _ coding: DisparityCoding) throws(MediaError) -> DisparityMap {
        guard frame.pointer.pointee.format == AV_PIX_FMT_GRAY16LE.rawValue else {
            throw MediaError(
                code: .unsupported, path: decoder.path,
                reason: "has disparity in \(frame.pixelFormatName); it is read in the 16-bit grey (gray16le) that it was recorded in")
        }
        let stored = CVPixelBuffer(width: frame.width, height: frame.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        let stride = Int(frame.pointer.pointee.linesize.0)
        for y in 0..<frame.height {
            let from = UnsafeRawPointer(frame.pointer.pointee.data.0! + y * stride)
            let to = stored.plane(0).row(y, as: Float.self)
            for x in 0..<frame.width { to[x] = coding.disparity(UInt16(littleEndian: from.load(fromByteOffset: 2 * x, as: UInt16.self))) }
        }
        return DisparityMap(buffer: stored, isMetric: coding.isMetric).upright(orientation)
    }
}
