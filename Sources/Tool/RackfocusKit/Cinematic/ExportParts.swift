import CoreMedia
import Foundation
import Media
import Pipeline
import Support

/// Folder of finished segments of an export, `MOVIE.mp4.parts`, from which a killed one goes on.
///
/// `export.json` says of what they are; each `segment-0001.mp4` takes its name when it is whole, after its `segment-0001.json`. Segments are of an equal
/// number of frames, each coded by itself, so that they are the same wherever the work was cut.
struct ExportParts {
    /// Finished segment.
    struct Segment: Codable {
        /// Time of its first picture in the movie, as a fraction.
        var start: [Int64]
        /// Number of its frames.
        var frames: Int
        /// Entry of the recording at which the next segment begins.
        var next: Int

        var time: CMTime { CMTime(value: start[0], timescale: CMTimeScale(clamping: start[1])) }
    }

    /// Settings by which segments of two exports are the same.
    typealias Identity = [String: String]

    let folder: String
    /// Finished segments in order.
    private(set) var segments: [Segment] = []
    private let type: String
    /// Keeps other exports out of the folder; nil when that is gone.
    private var lock: DirectoryLock?

    /// Opens the segments of an earlier export, or a new folder. Throws `InputError` for segments of an export with other settings, which it names,
    /// and `OutputError.Code.busy` while another export writes there.
    init(for movie: String, _ identity: Identity) throws {
        folder = movie + ".parts"
        type = (movie as NSString).pathExtension
        let list = folder + "/export.json"
        try OutputDirectory.create(folder)
        lock = try DirectoryLock(folder)
        guard FileManager.default.fileExists(atPath: list) else {
            let file = try OutputFile(path: list, replacingExisting: false)
            try file.write(JSONEncoder.readable.encode(identity))
            try file.commit()
            return
        }
        let known = (try? JSONDecoder().decode(Identity.self, from: FileContents.read(list))) ?? [:]
        let others = Set(identity.keys).union(known.keys).filter { identity[$0] != known[$0] }.sorted()
        guard others.isEmpty else {
            throw InputError(
                path: folder,
                reason: "holds segments of an export with other settings (\(others.joined(separator: ", "))); give those again, or remove the folder")
        }
        while let segment = Self.segment(in: path(segments.count + 1, "json")), FileManager.default.fileExists(atPath: path(segments.count + 1)) {
            segments.append(segment)
        }
    }

    private static func segment(in path: String) -> Segment? {
        guard let data = try? FileContents.read(path, atMost: 1 << 12), let segment = try? JSONDecoder().decode(Segment.self, from: data),
            segment.start.count == 2, segment.start[1] > 0, segment.frames > 0, segment.next > 0
        else { return nil }
        return segment
    }

    /// Path of a segment by its number, from 1, or of what is said of it.
    func path(_ number: Int, _ type: String? = nil) -> String { String(format: "%@/segment-%04d.%@", folder, number, type ?? self.type) }

    /// Frames of all finished segments.
    var frames: Int { segments.reduce(0) { $0 + $1.frames } }

    /// File of what is said of the next segment, to be given its name with it.
    func note(_ segment: Segment) throws -> OutputFile {
        let file = try OutputFile(path: path(segments.count + 1, "json"), replacingExisting: true)
        try file.write(JSONEncoder.readable.encode(segment))
        return file
    }

    mutating func append(_ segment: Segment) { segments.append(segment) }

    /// Segments for the movie.
    var joined: [MovieJoin.Segment] { segments.enumerated().map { MovieJoin.Segment(path: path($0.offset + 1), start: $0.element.time) } }

    /// Removes what is in the folder, and the folder if that was all.
    mutating func remove() {
        for number in 1...max(segments.count, 1) {
            unlink(path(number))
            unlink(path(number, "json"))
        }
        unlink(folder + "/export.json")
        lock = nil
        rmdir(folder)
    }
}
