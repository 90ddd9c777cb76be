import Foundation

/// Reports of ffprobe, and footage of other programs' kinds made by ffmpeg; tests that want them are skipped without.
enum Probe {
    static let isInstalled = ["ffmpeg", "ffprobe"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }

    struct Report: Decodable {
        struct Stream: Decodable {
            var codec_type: String
            var codec_name: String?
            var codec_tag_string: String?
            var profile: String?
            var pix_fmt: String?
            var width: Int?
            var height: Int?
            var sample_aspect_ratio: String?
            var field_order: String?
            var color_range: String?
            var color_space: String?
            var color_transfer: String?
            var color_primaries: String?
            var r_frame_rate: String?
            var start_pts: Int64?
            var duration_ts: Int64?
            var channels: Int?
            var tags: [String: String]?
            var side_data_list: [SideData]?
        }

        struct SideData: Decodable {
            var side_data_type: String
            var max_luminance: String?
            var max_content: Int?
        }

        struct Chapter: Decodable {
            var start_time: String
            var end_time: String
            var tags: [String: String]?
        }

        struct Packet: Decodable {
            var pts_time: String
            var flags: String
        }

        var streams: [Stream] = []
        var chapters: [Chapter]?
        var packets: [Packet]?
        var format: Format?

        struct Format: Decodable {
            var tags: [String: String]?
            var duration: String?
        }

        var video: Stream? { streams.first { $0.codec_type == "video" } }
        var sound: [Stream] { streams.filter { $0.codec_type == "audio" } }

        /// Timecode of the file, wherever its container keeps it.
        var timecode: String? {
            let tags = streams.map { $0.tags ?? [:] } + [format?.tags ?? [:]]
            return tags.compactMap { $0["timecode"] ?? $0["TIMECODE"] }.first
        }
    }

    static func report(_ path: String) throws -> Report {
        let words = ["-v", "error", "-of", "json", "-show_streams", "-show_chapters", "-show_format", path]
        return try JSONDecoder().decode(Report.self, from: try output(of: "ffprobe", words))
    }

    /// Packets of the pictures.
    static func packets(_ path: String) throws -> [Report.Packet] {
        let words = ["-v", "error", "-of", "json", "-select_streams", "v:0", "-show_packets", "-show_streams", path]
        return try JSONDecoder().decode(Report.self, from: try output(of: "ffprobe", words)).packets ?? []
    }

    /// Runs `ffmpeg` with the words of a line, separated by spaces, and the file that it makes.
    static func make(_ path: String, _ line: String) throws {
        _ = try output(of: "ffmpeg", ["-v", "error", "-y"] + line.split(separator: " ").map(String.init) + [path])
    }

    /// Codes of the sample entries, in the order of the file.
    static func codecTags(_ path: String) throws -> [String] { try report(path).streams.compactMap(\.codec_tag_string) }

    /// Length of the file, seconds; 0 where it is not told.
    static func seconds(_ path: String) throws -> Double { try report(path).format?.duration.flatMap { Double($0) } ?? 0 }

    static let hasMediaInfo = FileManager.default.isExecutableFile(atPath: "/usr/bin/mediainfo")

    /// Fields of each track, and of the file, that mediainfo tells, as text.
    static func mediaInfo(_ path: String) throws -> [[String: String]] {
        struct Report: Decodable {
            struct Media: Decodable { var track: [[String: Field]] }
            var media: Media
        }
        /// Text; other kinds of values are left out.
        struct Field: Decodable {
            var text: String?
            init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
        }
        let report = try JSONDecoder().decode(Report.self, from: try output(of: "mediainfo", ["--Output=JSON", path]))
        return report.media.track.map { $0.compactMapValues(\.text) }
    }

    struct Failed: Error, CustomStringConvertible { var description: String }

    private static func output(of tool: String, _ words: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/\(tool)")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        let (pipe, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (pipe, errors)
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(description: "\(tool) \(words.joined(separator: " ")): \(text)") }
        return data
    }
}
