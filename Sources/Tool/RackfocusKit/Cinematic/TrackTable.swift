import Foundation
import Media
import Support

/// Table of a movie's tracks, for one whose metadata are of another's making.
public struct TrackTable: Encodable, Sendable {
    /// Version of this format.
    let format = 1
    let file: String
    let tracks: [CinematicReport.Track]

    /// Reads the tracks; throws `MediaError`.
    public init(_ path: String) throws {
        file = (path as NSString).lastPathComponent
        tracks = try MovieDisparity.tracks(of: path).map(CinematicReport.Track.init)
    }

    /// The table as text.
    public var text: String {
        (["\(file.printable): picture and disparity", "", "tracks"] + CinematicReport.lines(of: tracks)).joined(separator: "\n")
    }

    /// JSON with sorted keys and a newline at its end.
    public var json: Data {
        get throws { try JSONEncoder.readable.encode(self) + Data("\n".utf8) }
    }
}
