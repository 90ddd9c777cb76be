import AVFCapture
import CoreMedia
import Foundation

/// Copying of samples from the outputs of a reader to the inputs of a writer, in order of time.
final class SampleCopying: Sendable {
    private let reader: AVAssetReader
    private let writer: AVAssetWriter
    private let pairs: [Pair]
    private let range: CMTimeRange

    /// Output, and the input that takes its samples.
    private struct Pair {
        let output: AVAssetReaderOutput
        let input: AVAssetWriterInput
        /// Sample to be written next; nil at the end.
        var next: CMSampleBuffer?

        var time: CMTime { next.map { $0.decodeTimeStamp.isNumeric ? $0.decodeTimeStamp : $0.presentationTimeStamp } ?? .positiveInfinity }
    }

    init(_ reader: AVAssetReader, _ writer: AVAssetWriter, _ pairs: [(AVAssetReaderOutput, AVAssetWriterInput)], _ range: CMTimeRange) {
        (self.reader, self.writer, self.range) = (reader, writer, range)
        self.pairs = pairs.map { Pair(output: $0.0, input: $0.1) }
    }

    /// Copies all samples while the caller waits; `progress` is told the part that is done, 0 to 1. Throws what reading or writing ended with.
    func run(progress: (Float) -> Void) throws {
        guard writer.startWriting() else { throw writer.error ?? AVError(.unknown) }
        do {
            guard reader.startReading() else { throw reader.error ?? AVError(.unknown) }
            writer.startSession(atSourceTime: range.start)
            try copy(progress)
            if let error = reader.error ?? writer.error { throw error }
        } catch {
            writer.cancelWriting()
            throw error
        }
        guard reader.status == .completed else { return writer.cancelWriting() }
        writer.endSession(atSourceTime: range.end)
        let isDone = DispatchSemaphore(value: 0)
        writer.finishWriting { isDone.signal() }
        isDone.wait()
        if let error = writer.error { throw error }
    }

    private func copy(_ progress: (Float) -> Void) throws {
        var open = pairs
        for index in open.indices { open[index].next = open[index].output.copyNextSampleBuffer() }
        while !open.isEmpty, writer.status == .writing {
            open.removeAll { pair in
                if pair.next == nil { pair.input.markAsFinished() }
                return pair.next == nil
            }
            // The coder is behind when no input takes a sample.
            if !open.contains(where: \.input.isReadyForMoreMediaData) { writer.queue.sync {} }
            guard let first = open.indices.filter({ open[$0].input.isReadyForMoreMediaData }).min(by: { open[$0].time < open[$1].time }),
                let sample = open[first].next
            else { continue }
            open[first].input.append(sample)
            progress(Float((sample.presentationTimeStamp - range.start).seconds / range.duration.seconds))
            open[first].next = open[first].output.copyNextSampleBuffer()
        }
    }

    /// Ends reading; the file is given up.
    func cancel() { reader.cancelReading() }
}
