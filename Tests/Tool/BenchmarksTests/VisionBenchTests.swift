import Benchmarks
import Foundation
import Testing

@Suite("Bench of the vision kernels")
struct VisionBenchTests {
    @Test("prints times, ratio and agreement of the kernels asked for")
    func rows() throws {
        var options = VisionBench.Options()
        options.width = 192
        options.height = 108
        options.rounds = 1
        options.kernels = ["SPECKLES", "medianflow"]
        var lines: [String] = []
        var work: [String] = []
        try VisionBench(options).run(progress: { work.append($0) }, print: { lines.append($0) })
        #expect(work.contains("  MedianFlow …") && work.last == "", "\(work)")
        #expect(lines.count == 4 && lines[0].hasPrefix("192x108"), "\(lines)")
        #expect(
            lines.dropFirst(2).map { $0.dropFirst(2).prefix(29).trimmingCharacters(in: .whitespaces) } == [
                "SemiglobalMatching, speckles", "MedianFlow",
            ])
        for line in lines.dropFirst(2) {
            let numbers = line.dropFirst(31).split(separator: " ").prefix(3).compactMap { Double($0) }
            #expect(numbers.count == 3 && numbers.allSatisfy { $0 > 0 }, "\(line)")
        }
        #expect(lines[2].hasSuffix("2304 of 2304 equal; cv::filterSpeckles"), "\(lines[2])")
    }
}
