import AVFoundation
import Foundation
import Support

/// Table of a movie's tracks, for one whose metadata are of another's making.
public struct TrackTable: Encodable, Sendable {
    /// Version of this format.
    let format = 1
    let file: String
    let tracks: [CinematicReport.Track]

    /// Tracks of a phone's movie, whose decisions nobody can read; nil of another file.
    public init?(phone path: String) throws {
        let asset = AVURLAsset.movie(path)
        guard try asset.contents().hasPhoneDisparity else { return nil }
        file = (path as NSString).lastPathComponent
        tracks = try asset.loadedTracks().map(CinematicReport.Track.init)
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
