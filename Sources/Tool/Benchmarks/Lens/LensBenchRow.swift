import Foundation
import LensTruth
import Support

/// One line of the table.
struct LensBenchRow {
    enum Outcome {
        /// Time a frame, and processor time compared with ours.
        case measured(ProcessorTime, ratio: Double, PictureScore?)
        /// Remedy in words.
        case notInstalled(String)
        case failed(String)

        /// Measured five times, each time beside ours, since machines are faster now and then: the median of the times and of the ratios.
        static func alternating(with ours: OwnLens, score: PictureScore?, _ time: () throws -> ProcessorTime) rethrows -> Self {
            func median<Value>(_ values: [Value], by key: (Value) -> Double) -> Value { values.sorted { key($0) < key($1) }[values.count / 2] }
            let rounds = try (0..<5).map { _ in (own: try ours.time(), other: try time()) }
            let ratio = median(rounds.map { $0.other.cores / $0.own.cores }) { $0 }
            return .measured(median(rounds.map(\.other)) { $0.cores }, ratio: ratio, score)
        }
    }

    let name: String
    let outcome: Outcome

    static let heading = "  program                  wall ms   core ms   ratio    PSNR    edge    SSIM"

    var text: String {
        let start = "  " + name.padding(toLength: 22, withPad: " ", startingAt: 0)
        switch outcome {
        case .notInstalled(let remedy): return start + "  not installed: \(remedy)"
        case .failed(let reason): return start + "  failed: \(reason)"
        case .measured(let time, let ratio, let score):
            let ratio = time.cores > 0 ? ratio : 0
            let line = start + " " + (time.wall * 1000).cell(9, 1) + " " + (time.cores * 1000).cell(9, 1) + " " + ratio.cell(7, 2)
            guard let score else { return line }
            return line + String(format: " %7.2f %7.2f  %.4f", score.overall, score.nearEdges, score.similarity)
        }
    }
}

extension Double {
    /// Time or ratio in a column; a dash where it is not above 0, as what more frames take is lost in the noise where they are few.
    func cell(_ width: Int, _ digits: Int) -> String {
        let text = self > 0 && isFinite ? String(format: "%.\(digits)f", self) : "-"
        return String(repeating: " ", count: max(width - text.count, 0)) + text
    }
}
