import Foundation
import Pipeline
import Support

/// Disparity and detections of footage that an earlier render left in its run directory.
///
///     let analysis = KeptAnalysis.find(key, beside: "shot.mov")      // in any *.run of that folder
///
/// `analysis.json` holds the key and what the estimator had to remark, `disparity.maps` the maps, `detections.jsonl` what was detected.
struct KeptAnalysis: Sendable {
    static let fileName = "analysis.json"
    static let mapsName = "disparity.maps"

    /// Contents of `analysis.json`.
    struct Record: Codable {
        var key: AnalysisKey
        var remarks: [String]
        /// Bytes of `disparity.maps`; nil where the frames bring their disparity.
        var bytes: Int?
    }

    /// Run directory that it lies in.
    let directory: String
    let remarks: [String]
    let log: DetectionLog
    /// Nil where the frames bring their disparity.
    let maps: DisparityMapFile?

    /// Looks for a key among the run directories of the folder that `output` is to lie in, by name; nil where none has it whole.
    static func find(_ key: AnalysisKey, beside output: String) -> KeptAnalysis? {
        let folder = (output as NSString).deletingLastPathComponent
        let place = folder.isEmpty ? "." : folder
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).filter { $0.hasSuffix(".run") }.sorted()
        return names.lazy.compactMap { KeptAnalysis(directory: "\(place)/\($0)", key) }.first
    }

    /// Nil for another key, and for files that are not whole: then the footage is looked at again.
    private init?(directory: String, _ key: AnalysisKey) {
        guard let data = FileManager.default.contents(atPath: "\(directory)/\(Self.fileName)"),
            let record = try? JSONDecoder().decode(Record.self, from: data), record.key == key,
            let log = try? DetectionLog(path: "\(directory)/detections.jsonl")
        else { return nil }
        if let bytes = record.bytes {
            guard let maps = DisparityMapFile(path: "\(directory)/\(Self.mapsName)"), maps.byteCount == bytes else { return nil }
            self.maps = maps
        } else {
            maps = nil
        }
        (self.directory, remarks, self.log) = (directory, record.remarks, log)
    }
}
