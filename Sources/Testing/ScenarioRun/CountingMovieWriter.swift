import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// A disk of the script's, which is full when the script says so.
final class ScriptedDisk: Sendable {
    private let state = Mutex(false)

    var isFull: Bool { state.withLock { $0 } }
    func fill() { state.withLock { $0 = true } }
}

/// Counts what would be written and keeps none of it: recordings of runs without pixels.
final class CountingMovieWriter: MovieWriter {
    /// Approximate bytes of one frame: 12 Mbit/s at 30 frames a second.
    private static let frameSize: Int64 = 50_000
    private let path: String
    private let disk: ScriptedDisk
    private let bytes = Mutex<Int64>(0)

    init(path: String, disk: ScriptedDisk) { (self.path, self.disk) = (path, disk) }

    func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        if disk.isFull { throw OutputError(code: .diskFull, path: path, action: "write") }
        bytes.withLock { $0 += Self.frameSize }
    }

    func append(_ sound: Sound) throws {}
    func finish() throws {}
    func salvage() -> Bool { true }
    var byteCount: Int64 { bytes.withLock { $0 } }
    func cancel() {}
}
