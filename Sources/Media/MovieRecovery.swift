import Foundation
import Pipeline

/// Makes an ordinary movie of a recording whose process was killed: all whole fragments, untouched, with one index before them.
public enum MovieRecovery {
    /// What became of it.
    public struct Result: Sendable {
        /// Length of the movie.
        public let seconds: Double
        /// Bytes behind the last whole fragment, which are left out.
        public let bytesLost: Int64
    }

    /// Leaves the recording as it is. Throws `MediaError` for a file without a whole fragment, `OutputError` where the movie cannot be written.
    public static func recover(_ path: String, to output: String, replacingExisting: Bool = false) throws -> Result {
        guard let recording = FileHandle(forReadingAtPath: path) else {
            throw MediaError(code: .missingFile, path: path, reason: "cannot be read: \(String(cString: strerror(errno)))")
        }
        let size = Int64(try recording.seekToEnd())
        try recording.close()
        let extent = try FragmentedFile.extent(of: path)
        guard extent.whole > 0 else {
            throw MediaError(
                code: .unsupported, path: path,
                reason: "holds no whole fragment of a recording: it is an ordinary movie, or was ended before the first fragment was whole")
        }
        let file = try OutputFile(path: output, replacingExisting: replacingExisting)
        let seconds = try MovieCopy.copy(path, as: output, to: file.temporaryPath, movie: nil)
        try file.commit()
        return Result(seconds: seconds, bytesLost: extent.isCut ? size - Int64(extent.whole) : 0)
    }
}
