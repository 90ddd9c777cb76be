internal import CFFmpeg
import Foundation

/// Disparity that a movie brings in a track of its own.
public enum MovieDisparity: Sendable, Equatable {
    /// That of a cinematic movie of ours, with metadata beside it.
    case cinematic
    /// That of a phone's cinematic take (`dish`), whose decisions are private.
    case phone

    /// Kind of a file's disparity; nil for none, for an image sequence, and for what cannot be opened, which the reader of its pictures says better.
    public init?(of path: String) {
        guard let input = try? Input(.footage(path)) else { return nil }
        let marks = input.streams.compactMap(\.mark)
        if input.hasPhoneDisparity {
            self = .phone
        } else if marks.contains(.disparity), marks.contains(.cinematicMetadata) {
            self = .cinematic
        } else {
            // Disparity of ours without metadata has lost its scale.
            return nil
        }
    }
}
