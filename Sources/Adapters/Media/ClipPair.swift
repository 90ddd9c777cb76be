import CoreMedia
import Foundation
import Pipeline

/// Pair of clips that are read frame for frame, with the checks that they fit.
struct ClipPair {
    let first: Side
    let second: Side

    struct Side {
        let path: String
        let description: SourceDescription
        /// Number of frames; nil unless it is certain.
        let exactCount: Int?
    }

    init(_ first: VideoFileSource, _ second: VideoFileSource) {
        self.init(first.side, second.side)
    }

    init(_ first: Side, _ second: Side) {
        self.first = first
        self.second = second
    }

    /// Checks sizes, rates and known lengths; throws `mismatch`.
    func check(sizesMatch: Bool) throws(MediaError) {
        let (a, b) = (first.description, second.description)
        if sizesMatch, a.width != b.width || a.height != b.height {
            throw mismatch("is \(b.width)x\(b.height), but \(first.path) is \(a.width)x\(a.height); both must have one size")
        }
        if a.frameDuration != b.frameDuration {
            throw mismatch("runs at \(b.frameDuration.rate) frames/s, but \(first.path) at \(a.frameDuration.rate); both must have one rate")
        }
        if let firstCount = first.exactCount, let secondCount = second.exactCount, firstCount != secondCount {
            throw lengths(firstCount, secondCount)
        }
    }

    /// Checks that both clips end together: `first` and `second` are the indices of the frames just read, nil for the one that ended.
    func checkEnd(first: Int?, second: Int?) throws(MediaError) {
        if let first { throw ends(self.second.path, after: first, other: self.first.path) }
        if let second { throw ends(self.first.path, after: second, other: self.second.path) }
    }

    private func lengths(_ a: Int, _ b: Int) -> MediaError {
        a < b ? ends(first.path, after: a, other: second.path, count: b) : ends(second.path, after: b, other: first.path, count: a)
    }

    private func ends(_ path: String, after count: Int, other: String, count otherCount: Int? = nil) -> MediaError {
        let rest = otherCount.map { "has \($0) frames" } ?? "goes on"
        return MediaError(code: .mismatch, path: path, reason: "ends after frame \(count), but \(other) \(rest); both must have one length")
    }

    private func mismatch(_ reason: String) -> MediaError { MediaError(code: .mismatch, path: second.path, reason: reason) }
}

extension VideoFileSource {
    var side: ClipPair.Side {
        ClipPair.Side(path: path, description: description, exactCount: isFrameCountExact ? description.frameCount : nil)
    }
}

extension CMTime {
    /// Frames per second of a frame duration, at most three decimals.
    fileprivate var rate: String {
        let rate = Double(timescale) / Double(value)
        return rate == rate.rounded() ? String(Int(rate)) : String(format: "%.3f", rate)
    }
}
