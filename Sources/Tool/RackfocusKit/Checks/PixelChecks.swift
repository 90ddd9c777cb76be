import AVFoundation
import CoreVideo
import Foundation
import Media
import Pipeline
import RunReport
import ScenarioFormat
import ScenarioResults
import ScenarioRun

/// Picture checks that render the frames named by a scenario's goldens and expectations of blur, and no others.
public final class PixelChecks: PictureChecks {
    private let scenario: ScenarioFile
    private let renderer: FrameRenderer
    private let device: String
    private let blesses: Bool
    private let isStrict: Bool

    /// Creates the checks; `feed` is the run's, nil for the stage, and `device` names the lens's device with its driver.
    ///
    /// A missing golden is written, except where a run must not write (`isStrict`); one that differs is rewritten only when the run `blesses`, with a
    /// note of the change.
    public init(
        _ scenario: ScenarioFile, feed: CameraFeed?, lens: any BokehRenderer, device: String, blesses: Bool, isStrict: Bool
    ) {
        self.scenario = scenario
        self.device = device
        renderer = FrameRenderer(scenario: scenario, feed: feed, lens: lens)
        (self.blesses, self.isStrict) = (blesses, isStrict)
    }

    /// Renders and compares the frames by their times; failures and notes go into the report.
    public func look(at records: [Int64: FrameRecord]) throws -> PictureReport {
        var (report, known) = (PictureReport(), [Int: (frame: FrameRenderer.RenderedFrame, png: Data)]())
        func rendered(_ record: FrameRecord) throws -> (frame: FrameRenderer.RenderedFrame, png: Data) {
            if let frame = known[record.frame.index] { return frame }
            let frame = try renderer.render(record)
            let new = (frame: frame, png: try png(frame.shallow))
            known[record.frame.index] = new
            report.files.append(("frames/frame-\(record.frame.index).png", new.png))
            return new
        }
        if let frames = scenario.goldenFrames {
            for (time, place) in zip(frames.times, frames.locations) {
                guard let record = records[time] else {
                    report.failures.append(RunFailure(location: place, message: "no frame came for this golden"))
                    continue
                }
                let (actual, index) = (try rendered(record).png, record.frame.index)
                try compare(actual, record, GoldenPicture(of: scenario, frame: index), frames, at: place, &report)
                guard frames.isExactByDevice else { continue }
                try compare(actual, record, GoldenPicture(of: scenario, frame: index, device: device), frames, at: place, &report)
            }
        }
        for check in scenario.blurChecks {
            guard let record = records[check.time] else {
                report.failures.append(RunFailure(location: check.location, message: "expected blur \(check.blur.summary), but no frame came"))
                continue
            }
            if let failure = try measure(check.blur, rendered(record).frame, record) {
                report.failures.append(RunFailure(location: check.location, message: failure))
            }
        }
        return report
    }

    // MARK: goldens

    private func compare(
        _ actual: Data, _ record: FrameRecord, _ golden: GoldenPicture, _ frames: ScenarioFile.GoldenFrames, at place: FileLocation,
        _ report: inout PictureReport
    ) throws {
        guard let expected = try golden.read() else {
            guard blesses || !isStrict else {
                // A golden of every device cannot be expected: the common one has been met.
                if let device = golden.device { return report.notes.append("no golden picture of \(device) yet: \(golden.path)") }
                let message = "the golden picture is missing: \(golden.path); run with --render --bless, look at it and commit it"
                return report.missing.append(RunFailure(location: place, message: message))
            }
            try golden.write(actual)
            return report.notes.append("golden picture written, not compared; look at it: \(golden.path)")
        }
        let what = "the picture at \(seconds(record)) (frame \(record.frame.index))"
        let picture = try bgra(actual)
        guard picture.size == expected.size else {
            let sizes = "\(picture.size.width)x\(picture.size.height), the golden \(expected.size.width)x\(expected.size.height)"
            guard blesses else {
                return report.failures.append(RunFailure(location: place, message: "\(what) is \(sizes): \(golden.path) (--bless takes the new one)"))
            }
            try golden.write(actual)
            return report.notes.append("golden picture rewritten: \(golden.path); \(what) is \(sizes)")
        }
        let likeness = GoldenPicture.likeness(of: picture, to: expected, subject: subject(of: record))
        guard !golden.isMet(likeness, frames) else { return }
        let name = "diff/frame-\(record.frame.index)"
        report.files += [
            ("\(name)-expected.png", try png(expected)), ("\(name)-actual.png", actual),
            ("\(name)-difference.png", try png(GoldenPicture.heatMap(of: picture, against: expected))),
        ]
        guard blesses else {
            let least = [frames.leastSSIM.map { "SSIM \($0)" }, frames.leastPSNR.map { "PSNR \($0) dB" }].compactMap { $0 }.joined(separator: ", ")
            let asked = golden.device.map { "bit for bit on \($0)" } ?? "at least \(least)"
            let message =
                "\(what) differs from \(golden.path): \(likeness.summary); \(asked) (\(name)-difference.png; --bless takes the new one)"
            return report.failures.append(RunFailure(location: place, message: message))
        }
        try golden.write(actual)
        report.notes.append("golden picture rewritten: \(golden.path)\n    it was: \(likeness.summary); before, after and difference: \(name)-*.png")
    }

    /// Subject in focus, with its box; nil without one.
    private func subject(of record: FrameRecord) -> (name: String, box: CGRect)? {
        guard let id = record.state.subject, let found = record.detections.first(where: { $0.objectID == id }) else { return nil }
        return (found.label ?? "the \(found.kind.rawValue)", found.bounds)
    }

    // MARK: blur

    /// Failure of an expected blur, in words; nil when it holds.
    private func measure(_ blur: Expectation.Blur, _ frame: FrameRenderer.RenderedFrame, _ record: FrameRecord) throws -> String? {
        let (width, height) = frame.sharp.size
        let subjects = record.frame.truth ?? record.detections
        func disparity(_ x: Double, _ y: Double) -> Double {
            Double(frame.disparity.row(Int(y * Double(frame.disparity.height)))[Int(x * Double(frame.disparity.width))])
        }
        let part: [Bool]
        switch blur.region {
        case .background:
            let farthest = subjects.compactMap(\.disparity).min() ?? .infinity
            part = PicturePart.marks(width: width, height: height) { x, y in
                disparity(x, y) < farthest * 0.97 && !subjects.contains { $0.bounds.contains(CGPoint(x: x, y: y)) }
            }
        case .subject(let name):
            guard let found = subjects.first(where: { $0.label == name }), let depth = found.disparity else {
                return "expected blur \(blur.summary), but \(name) is not to be seen at \(seconds(record))"
            }
            part = PicturePart.marks(width: width, height: height) { x, y in
                found.bounds.contains(CGPoint(x: x, y: y)) && abs(disparity(x, y) - depth) < depth * 0.05
            }
        }
        guard let diameter = BlurMeter(sharp: frame.sharp, shallow: frame.shallow).diameter(in: part) else {
            return "expected blur \(blur.summary), but \(blur.name) has no texture at \(seconds(record)) to measure it on"
        }
        guard !blur.holds(diameter) else { return nil }
        let (f, focus) = (record.fNumber.map { String(format: "f/%g", $0) } ?? "no aperture", 1 / record.state.focusDisparity)
        // As many digits as tell it from the bound.
        let measured = (1...4).lazy.map { String(format: "%.\($0)f", diameter) }.first { Double($0) != blur.pixels } ?? "\(diameter)"
        return "expected blur \(blur.summary), but at \(seconds(record)) it was \(measured)px, with \(f) and focus at "
            + String(format: "%.2f m", focus)
    }

    // MARK: pictures

    private func seconds(_ record: FrameRecord) -> String { String(format: "%.3f s", record.frame.presentationTime.seconds) }

    private func png(_ picture: CVPixelBuffer) throws -> Data { try PictureFile.pngData(picture, path: scenario.path) }

    /// As a golden is read: from its file's bytes.
    private func bgra(_ png: Data) throws -> CVPixelBuffer {
        let file = FileManager.default.temporaryDirectory.appending(path: "rackfocus-picture-\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: file) }
        try png.write(to: file)
        return try PictureFile.read(file.path)
    }
}
