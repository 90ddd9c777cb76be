import Cinematic
import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import Support
import Vision

/// Contact sheet of a cinematic movie: the sharp frame of each decision with the rectangle of its subject, time code, name and reason, as one JPEG.
public struct ContactSheet {
    /// Bytes of the JPEG file.
    public let data: Data
    /// Number of decisions that did not find room.
    public let leftOut: Int

    /// Most decisions of one sheet, frames side by side, and width of a frame in pixels.
    private static let (most, columns, width) = (600, 4, 320)
    /// Most rows of a JPEG, and of a frame.
    private static let (rows, frameRows) = (65_500, 16_000)
    /// Height of the caption and of its letters, pixels.
    private static let (caption, letters) = (34, 8.0)
    /// Space around a frame, pixels.
    private static let margin = 4

    private struct Tile {
        var frame: Int
        var time: CMTime
        var decision: FocusDecision
        var lines: [String]
    }

    /// Draws the decisions of a movie with its edits; only their frames are decoded. Throws `MediaError`, and `InputError` where nothing was decided.
    public init(_ edited: EditedMovie) throws {
        var tiles: [Tile] = []
        let report = try CinematicReport(edited).decisions
        for (index, frame) in edited.script.allFrames.enumerated() {
            for decision in frame.sample.decisions {
                let row = report[tiles.count]
                let hold = "\(row.isFixed ? "fixed" : row.mode), \(row.isUserDecision ? "user" : "automatic")"
                let lines = ["\(row.at.timecode)  \(row.name)  \(hold)", decision.why.words]
                tiles.append(Tile(frame: index, time: frame.time, decision: decision, lines: lines))
            }
        }
        guard !tiles.isEmpty else { throw InputError(path: edited.path, reason: "holds no decision, so there is nothing to show on a sheet") }
        let source = try edited.openFrames()
        let size = source.description
        let height = (min(max(Self.width * size.height / size.width, 1), Self.frameRows) + 1) & ~1
        let step = (x: Self.width + Self.margin, y: height + Self.caption + Self.margin)
        leftOut = max(tiles.count - min(Self.most, (Self.rows - Self.margin) / step.y * Self.columns), 0)
        tiles.removeLast(leftOut)
        let columns = min(Self.columns, tiles.count)
        let sheet = CVPixelBuffer(
            width: columns * step.x + Self.margin, height: (tiles.count + columns - 1) / columns * step.y + Self.margin,
            pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let canvas = try PictureCanvas(sheet)
        canvas.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height), color: .black)
        var last: (number: Int, frame: Frame, sample: CinematicSample)?
        for (index, tile) in tiles.enumerated() {
            if last?.number != tile.frame {
                try source.seek(to: tile.frame, at: tile.time)
                guard let next = try source.next() else {
                    throw MediaError(code: .truncated, path: edited.path, reason: "has no picture for the decision at \(tile.lines[0])")
                }
                last = (tile.frame, next.frame, next.sample)
            }
            guard let last else { continue }
            let place = (x: Self.margin + index % columns * step.x, y: Self.margin + index / columns * step.y)
            let area = CGRect(x: place.x, y: place.y, width: Self.width, height: height)
            sheet.fill(area, reducing: last.frame.image)
            try Self.draw(last.sample, tile, in: area, on: canvas)
        }
        data = try PictureFile.jpegData(sheet, path: edited.path)
    }

    private static func draw(_ sample: CinematicSample, _ tile: Tile, in area: CGRect, on canvas: PictureCanvas) throws {
        func place(_ box: CGRect) -> CGRect {
            CGRect(
                x: area.minX + box.minX * area.width, y: area.minY + box.minY * area.height, width: box.width * area.width,
                height: box.height * area.height
            ).intersection(area)
        }
        let subject = tile.decision.subject ?? sample.focus.subject
        for detection in sample.detections where detection.objectID != subject {
            try canvas.rectangle(place(detection.bounds), color: .white, thickness: 1)
        }
        if let detection = sample.detections.first(where: { $0.objectID == subject }) {
            let dashes = tile.decision.mode == .weak ? [6.0, 4] : []
            try canvas.rectangle(place(detection.bounds), color: .yellow, thickness: 2, dashes: dashes)
        }
        for (number, line) in tile.lines.enumerated() {
            let origin = CGPoint(x: area.minX + 2, y: area.maxY + 5 + 15 * Double(number))
            try canvas.text(line.printable, at: origin, height: letters, color: number == 0 ? .white : .yellow)
        }
    }
}

extension CVPixelBuffer {
    /// Fills a part, whose sides are even, with a picture of the same format, each pixel the mean of those that it stands for.
    fileprivate func fill(_ area: CGRect, reducing picture: CVPixelBuffer) {
        fill(plane(0), picture.plane(0), Int(area.minX), Int(area.minY), Int(area.width), Int(area.height), channels: 1)
        fill(plane(1), picture.plane(1), Int(area.minX) / 2, Int(area.minY) / 2, Int(area.width) / 2, Int(area.height) / 2, channels: 2)
    }

    private func fill(_ target: Plane, _ source: Plane, _ left: Int, _ top: Int, _ width: Int, _ height: Int, channels: Int) {
        for y in 0..<height {
            let rows = y * source.height / height..<max((y + 1) * source.height / height, y * source.height / height + 1)
            let to = target.row(top + y, as: UInt8.self)
            for x in 0..<width {
                let columns = x * source.width / width..<max((x + 1) * source.width / width, x * source.width / width + 1)
                for channel in 0..<channels {
                    var sum = 0
                    for row in rows {
                        let from = source.row(row, as: UInt8.self)
                        for column in columns { sum += Int(from[column * channels + channel]) }
                    }
                    to[(left + x) * channels + channel] = UInt8(sum / (rows.count * columns.count))
                }
            }
        }
    }
}
