import Foundation
import Support

/// Figures of one run of a command over frames, as it leaves them in `perf.json`; never part of a result.
package struct RunFigures: Codable, Sendable {
    /// One stage of the pipeline or, indented, a part of one.
    package struct Stage: Codable, Sendable {
        package var name: String
        /// Number of calls.
        package var count: Int
        /// Wall time of all calls, and processor time of the threads that made them, seconds.
        package var seconds: Double
        package var coreSeconds: Double
        /// 95th percentile of a call's wall time, seconds.
        package var p95: Double
    }

    /// Number of frames written.
    package var frames: Int
    /// Wall time of the process until the movie is finished, seconds.
    package var seconds: Double
    /// Its processor time until then, seconds, over all cores.
    package var coreSeconds: Double
    /// Time from the start of the process until its first frame was encoded, seconds within 0.01.
    package var firstFrame: Double
    /// Its processor time until then, seconds, over all cores; on a busy machine it tells more.
    package var firstFrameCores: Double
    /// 95th percentile of the time from one encoded frame to the next, seconds; 0 where there is one frame.
    package var p95: Double
    /// Peak resident memory of the process, in MB of 2^20 bytes.
    package var peakMemory: Double
    /// Stages in order of their first appearance.
    package var stages: [Stage]
    /// Copies of pictures and maps that were made on their way.
    package var copies: [PictureCopies.Count]

    /// Takes the figures of this process now. Throws where `/proc` does not tell them.
    package init(frames: Int, firstFrame: ProcessorTime?, pace: Timings, stages: Timings) throws {
        guard let memory = ProcessMemory(), let age = ProcessorTime.sinceStart else { throw Unknown() }
        self.frames = frames
        seconds = age.wall
        coreSeconds = age.cores
        self.firstFrame = firstFrame?.wall ?? 0
        firstFrameCores = firstFrame?.cores ?? 0
        p95 = pace.report.first?.p95 ?? 0
        peakMemory = memory.peak
        self.stages = stages.report.map {
            Stage(name: $0.name, count: $0.count, seconds: $0.seconds, coreSeconds: $0.coreSeconds, p95: $0.p95)
        }
        copies = PictureCopies.report
    }

    private struct Unknown: Error, CustomStringConvertible {
        let description = "/proc/self tells neither memory nor age of this process, which --timings needs; mount /proc"
    }

    /// Name of the file in a run's directory.
    package static let fileName = "perf.json"
}
