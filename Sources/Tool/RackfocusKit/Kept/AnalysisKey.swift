import CoreMedia
import Foundation
import Media
import Pipeline
import ScenarioFormat
import Support
import Vision

/// Key of an analysis: everything that disparity and detections of footage follow from. Aperture, lens, racks and delivery are not in it.
struct AnalysisKey: Codable, Equatable {
    /// Version of the files that are kept.
    var format = 1
    /// Fingerprint of this program: another version may see otherwise.
    var program: String
    /// Fingerprints of footage, calibration and recorded detections, in order.
    var footage: [String]
    /// Fingerprints of the networks.
    var models: [String]
    /// Choices by which the footage is read, in words.
    var reading: [String]

    /// Key of a scenario's footage; nil where nothing is to be kept: the stage knows its disparity. Throws `InputError` or `MediaError`.
    init?(_ scenario: ScenarioFile, _ models: VisionModels) throws {
        let clip = scenario.clip
        guard !clip.source.isSynthetic else { return nil }
        program = Self.fingerprint("/proc/self/exe")
        footage = try PictureSequence.inputs(Array(scenario.files.dropFirst(scenario.texts.count))).map(Self.fingerprint)
        self.models = models.files.map(Self.fingerprint)
        func word(_ time: CMTime?) -> String { time.map { "\($0.value)/\($0.timescale)" } ?? "own" }
        reading = [
            clip.source.kind, "picture \(word(clip.frameDuration))", "rate \(word(clip.constantRate))",
            "from \(clip.span.from?.description ?? "-")", "to \(clip.span.to?.description ?? "-")", "length \(clip.length.map(String.init) ?? "-")",
            "sdr \(clip.isToneMapped)", "detections \(clip.detections.name)", "mode \(scenario.mode.rawValue)",
        ]
    }

    /// Size, time of change, and SHA-256 of the first and the last 64 KiB of a file; its name is not part of it. What is no file, or not there, has its
    /// path.
    private static func fingerprint(_ path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = FileHandle(forReadingAtPath: path) else {
            return "missing \(path)"
        }
        defer { file.closeFile() }
        let head = file.readData(ofLength: 1 << 16)
        file.seek(toFileOffset: UInt64(max(Int64(head.count), Int64(status.st_size) - 1 << 16)))
        let digest = SHA256().adding(Array(head)).adding(Array(file.readData(ofLength: 1 << 16))).hexadecimal
        return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(digest)"
    }
}

extension ClipSource {
    /// Kind of the footage and its numbers, without its paths.
    fileprivate var kind: String {
        switch self {
        case .synthetic: "synthetic"
        case .video(_, _, let range): "video with disparity \(range.map { "\($0)" } ?? "-")"
        case .stereo(_, _, let baseline, let focalLength): "stereo \(baseline ?? 0) m \(focalLength ?? 0) px"
        case .calibrated: "stereo, calibrated"
        case .packed(_, let layout): "packed \(layout)"
        case .depth: "video with depth"
        case .plain: "video"
        }
    }
}
