import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// A disk of the script's, which is full when the script says so.
package final class ScriptedDisk: Sendable {
    private let state = Mutex(false)

    /// Makes an empty disk.
    package init() {}

    /// Whether nothing more can be written.
    package var isFull: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Throws the writer's error when the disk is full.
    package func check(path: String) throws {
        if isFull { throw OutputError(code: .diskFull, path: path, action: "write") }
    }
}

/// Counts what would be written and keeps none of it: recordings of runs without pixels.
package final class CountingMovieWriter: MovieWriter {
    /// Approximate bytes of one frame: 12 Mbit/s at 30 frames a second.
    private static let frameSize: Int64 = 50_000
    private let path: String
    private let disk: ScriptedDisk
    private let bytes = Mutex<Int64>(0)

    package init(path: String) { (self.path, disk) = (path, ScriptedDisk()) }

    package init(path: String, disk: ScriptedDisk) { (self.path, self.disk) = (path, disk) }

    package func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        try disk.check(path: path)
        bytes.withLock { $0 += Self.frameSize }
    }

    package func append(_ sound: Sound) throws {}
    package func finish() throws {}
    package func salvage() -> Bool { true }
    package var byteCount: Int64 { bytes.withLock { $0 } }
    package func cancel() {}
}
