import Foundation
import Media
import Pipeline
import ScenarioFormat
import TestSupport

@testable import RackfocusKit

/// A photograph with the outline of one object, tapped in the middle of its longest row, through `render --video --script`, nine frames of it.
struct TappedStill {
    private let path: String
    /// 0…1.
    private let (box, tap): (CGRect, CGPoint)

    /// Objects of `stills/objects`: of each picture everything that its mask covers.
    static func all() throws -> [TappedStill] {
        let folder = Project.data.path + "/stills/objects"
        return try FileManager.default.contentsOfDirectory(atPath: folder + "/img").sorted().map { name in
            let mask = try PictureFile.readDisparity("\(folder)/mask/\((name as NSString).deletingPathExtension).png")
            return TappedStill("\(folder)/img/\(name)", mask: mask)
        }
    }

    private init(_ path: String, mask: DisparityMap) {
        var (bounds, tap, longest) = (CGRect.null, CGPoint.zero, 0)
        for y in 0..<mask.height {
            let inside = (0..<mask.width).filter { mask.row(y)[$0] > 0.5 }
            guard let first = inside.first, let last = inside.last else { continue }
            bounds = bounds.union(CGRect(x: first, y: y, width: last + 1 - first, height: 1))
            if inside.count > longest {
                (longest, tap) = (inside.count, CGPoint(x: Double(inside[inside.count / 2]) + 0.5, y: Double(y) + 0.5))
            }
        }
        let (width, height) = (Double(mask.width), Double(mask.height))
        self.path = path
        box = CGRect(x: bounds.minX / width, y: bounds.minY / height, width: bounds.width / width, height: bounds.height / height)
        self.tap = CGPoint(x: tap.x / width, y: tap.y / height)
    }

    /// Intersection over union of its box and that of the subject that the tap puts in focus; 0 where there is none.
    func overlap(in scratch: Scratch) throws -> Double {
        let kind = (path as NSString).pathExtension
        for index in 0..<9 { try FileManager.default.copyItem(atPath: path, toPath: scratch("\(index).\(kind)")) }
        let script = try scratch.write("timeline:\n  - 0.05s: {tap: {meta: [\(tap.x), \(tap.y)]}}\n", to: "tap.yaml")
        var options = RenderOptions(output: scratch("movie.mp4"))
        (options.keptBytes, options.lens.quality) = (0, .preview)
        _ = try RenderJob(scenario: script, footage: .plain(scratch("%d.\(kind)")), options: options).run { _ in }
        let log = try DetectionLog(path: scratch("movie.run/detections.jsonl"))
        guard let found = log.entries.lazy.flatMap(\.taps).first?.found?.bounds else { return 0 }
        let shared = found.intersection(box)
        guard !shared.isNull else { return 0 }
        let both = shared.width * shared.height
        return both / (found.width * found.height + box.width * box.height - both)
    }
}
